"""How `make lab` shows the book: citations and solutions too, and nothing asked of other hosts."""

from pathlib import Path

c = get_config()  # noqa: F821

c.LabApp.news_url = None
c.LabApp.check_for_updates_class = "jupyterlab.NeverCheckForUpdate"
for app in (c.LabApp, c.JupyterNotebookApp):
    app.extra_labextensions_path = [str(Path(__file__).parent / "labextensions")]
