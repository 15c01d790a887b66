"""The face in a kernel of what a reader touches: the JavaScript of the page, as an anywidget."""

import functools
from pathlib import Path

from touchbook.script import HERE, kernel_module


def face(module, styles, *, setup, state=None, hear=None):
    """An anywidget that a module renders, which exports ``render({model, el})``.

    Paths of `module` and `styles` begin at this folder. The traits are JSON: `setup` stays, `state`
    may be replaced by both sides. ``hear(face, message)`` hears each message of the front end.
    """
    made = _kind(module, styles)(setup=setup, state=state or {})
    if hear is not None:
        made.on_msg(lambda one, message, _buffers: hear(one, message))
    return made


@functools.cache
def _kind(module, styles):
    try:
        import anywidget
        import traitlets
    except ImportError as error:
        raise ImportError(
            f"what a reader touches in a notebook needs {error.name}: "
            "pip install 'touchbook[widgets]'",
            name=error.name,
        ) from error

    parts = {
        "_esm": kernel_module(module),
        "_css": "".join((HERE / style).read_text(encoding="utf-8") for style in styles),
        "setup": traitlets.Dict().tag(sync=True),
        "state": traitlets.Dict().tag(sync=True),
    }
    # A name of its own: of two classes with one name, anywidget keeps the newer one's style alone.
    return type(f"Face_{Path(module).stem}", (anywidget.AnyWidget,), parts)


def mimebundle(face, words, **kwargs):
    """What a notebook shows of a face: the widget, and words for where there is none."""
    bundle = face._repr_mimebundle_(**kwargs)
    return (bundle[0] if isinstance(bundle, tuple) else bundle) | {"text/plain": words}
