"""A JupyterLab of our own over copies of the notebooks, and a browser to use it with."""

import contextlib
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

import nbformat

from tests.support.built_pages import ROOT

# What MyST should have made something of.
RAW_MARKS = re.compile(
    r"\{(?:eq|ref|math|cite|exercise|solution|admonition)[\w:-]*\}|:::|^\([\w-]{4,}\)=$", re.M
)
# Of JupyterLab itself, or of what it has always said.
NOT_OURS = (
    "Legacy syntax",
    "metrics",
    "favicon",
    "React DevTools",
    "reading 'schema'",  # Notebook 7 without the settings of JupyterLab's news
    "registered.",
    "Cross reference target was not found",  # in this notebook: our extension leads on
    # anywidget's two seconds for a module, which a busy machine outlasts: a board is dead then, and
    # whoever plays it waits in vain.
    "Failed to initialize model",
)
ON_TOP = 'document.querySelector(".jp-NotebookPanel:not(.lm-mod-hidden)")'


@contextlib.contextmanager
def jupyter_server(folder):
    """Serve copies of the book's notebooks as ``make lab`` does; gives the address and token.

    They lie in an empty folder; settings and data of the user are left alone.
    """
    shutil.copytree(ROOT / "book", folder / "book")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    token = secrets.token_hex(16)
    names = ["_CONFIG_DIR", "_DATA_DIR", "_RUNTIME_DIR", "LAB_SETTINGS_DIR", "LAB_WORKSPACES_DIR"]
    own = {f"JUPYTER{name}": str(folder / name.strip("_").lower()) for name in names}
    environment = {k: v for k, v in os.environ.items() if k not in ("GAMEAI_DATA", "MPLBACKEND")}
    environment |= own | {
        "JUPYTER_CONFIG_PATH": str(ROOT / "book" / "tools" / "lab"),
        "PYTHONPATH": str(ROOT),
        "IPYTHONDIR": str(folder / "ipython"),
    }
    command = [
        sys.executable, "-m", "jupyter", "lab", "--no-browser", "--allow-root", f"--port={port}",
        "--ServerApp.port_retries=0", f"--IdentityProvider.token={token}",
        str(folder / "book" / "index.ipynb"),
    ]  # fmt: skip
    with open(folder / "log", "wb") as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=log, cwd=folder)
        try:
            _wait_for(f"http://127.0.0.1:{port}/api?token={token}", server, folder / "log")
            yield f"http://127.0.0.1:{port}", token
        finally:
            server.terminate()
            try:
                server.wait(5)
            except subprocess.TimeoutExpired:  # it waits for kernels, which see that it is gone
                server.kill()
                server.wait()


def _wait_for(address, server, log):
    for _ in range(360):  # for a minute and a half
        with contextlib.suppress(OSError):
            urllib.request.urlopen(address, timeout=5)
            return
        if server.poll() is not None:
            break
        time.sleep(0.25)
    raise RuntimeError(f"no JupyterLab: {log.read_text(errors='replace')[-2000:]}")


def notebook_of(title, *sources):
    """A notebook of code, below a title."""
    new = nbformat.v4
    kernel = {"name": "python3", "display_name": "Python 3"}
    cells = [new.new_code_cell(source) for source in sources]
    return new.new_notebook(
        cells=[new.new_markdown_cell(f"# {title}"), *cells], metadata={"kernelspec": kernel}
    )


class OpenNotebook:
    """A notebook that a browser shows, in an `app`: "lab" or "notebook"."""

    def __init__(self, page, address, token, name, app="lab"):
        self.page = page
        self.errors, self.asked = [], []
        page.on("console", lambda message: message.type == "error" and self._hear(message.text))
        page.on("pageerror", lambda error: self._hear(str(error)))
        page.on("request", self._see)
        self._own = address
        self._sessions = f"{address}/api/sessions?token={token}"
        self.name = name
        path = f"lab/workspaces/{name}/tree" if app == "lab" else "notebooks"
        page.goto(f"{address}/{path}/{name}.ipynb?token={token}")
        self._wait_until_ready()

    def _wait_until_ready(self):
        self.visible.locator(".jp-Cell").first.wait_for(timeout=90_000)
        self.wait_for_kernel(self.name)
        # MyST renders once the kernel is there.
        self.visible.locator(".myst h1, .myst h2").first.wait_for(timeout=90_000)

    def turn_to(self, name):
        """Open another notebook beside those that are open; loading JupyterLab takes longer."""
        if name == self.name:
            return
        self._choose("File", "Open from Path…")
        self.page.get_by_role("dialog").locator("input").fill(f"{name}.ipynb")
        self.page.keyboard.press("Enter")
        self.name = name
        self._wait_until_ready()

    @property
    def visible(self):
        """The notebook on top."""
        return self.page.locator(".jp-Notebook:visible")

    def wait_for_kernel(self, name):
        """Until the server says so: the page shows itself idle before it has a kernel."""
        seen = {}
        for _ in range(360):  # for a minute and a half
            for session in self.page.request.get(self._sessions).json():
                if session["path"].endswith(f"{name}.ipynb"):
                    seen = session["kernel"] or {}
            if seen.get("connections") and seen["execution_state"] == "idle":
                return
            self.page.wait_for_timeout(250)
        raise TimeoutError(f"{name}.ipynb has no kernel, but {seen}")

    def _hear(self, error):
        if not any(part in error for part in NOT_OURS):
            self.errors.append(error)

    def _see(self, request):
        own = self._own, self._own.replace("http", "ws", 1), "data:", "blob:"
        if not request.url.startswith(own):
            self.asked.append(request.url)

    def run_all(self, uncover=True, shows=".explorable-live-face"):
        """Run all cells as the menu does, wait for what the last `shows`; uncover every figure."""
        # The notebooks are stored with numbers, which would look as if all had run.
        self._choose("Edit", "Clear Outputs of All Cells")
        self._wait_for_prompts("!", 10)
        self._choose("Run", "Run All Cells")
        self._wait_for_prompts("", 300)
        # Widgets are drawn some moments after their cells have run.
        self.visible.locator(shows).first.wait_for()
        if uncover:
            self.uncover()
            self.page.wait_for_function(f"""() => {{
                const faces = [...{ON_TOP}.querySelectorAll(".explorable-live-face")];
                return faces.every((face) => face.querySelector("figure.explorable img"));
            }}""")

    def uncover(self):
        """Pass the predictions that cover figures, as a reader does who looks anyway."""
        # One press may take away several covers, so they are counted where they are.
        self.page.wait_for_function(
            f"""() => {{
                const look = {ON_TOP}.querySelector(".explorable-cover [data-action=look]");
                look?.click();
                return !look;
            }}""",
            polling=100,
        )

    def _wait_for_prompts(self, no, seconds):
        prompts = f"[...{ON_TOP}.querySelectorAll('.jp-CodeCell .jp-InputArea-prompt')]"
        numbered = f"() => {prompts}.every((prompt) => {no}/\\d/.test(prompt.textContent))"
        self.page.wait_for_function(numbered, timeout=1000 * seconds)

    def _choose(self, menu, entry):
        self.page.get_by_role("menuitem", name=menu, exact=True).click()
        self.page.get_by_text(entry, exact=True).click()

    @property
    def raw_marks(self):
        """Marks of MyST that a reader sees."""
        texts = self.visible.locator(".jp-MarkdownCell .myst").all_inner_texts()
        return [mark for text in texts for mark in RAW_MARKS.findall(text)]

    @property
    def faces(self):
        """The live figures, in order."""
        return self.visible.locator(".explorable-live-face")

    def shown(self, face):
        """The picture and the words of a figure."""
        picture = face.locator("figure.explorable img").get_attribute("src")
        return picture, face.locator("figcaption").inner_text()
