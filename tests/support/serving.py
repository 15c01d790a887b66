"""A server of files on a free port of this machine."""

import contextlib
import functools
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves files and logs nothing."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_args):
        """Say nothing."""

    def copyfile(self, source, outputfile):
        """Send a file, unless the page that asked for it has been left."""
        with contextlib.suppress(ConnectionError):
            super().copyfile(source, outputfile)


@contextlib.contextmanager
def served(folder, handler=QuietHandler):
    """Serve a folder; gives the address."""
    answers = functools.partial(handler, directory=str(folder))
    server = ThreadingHTTPServer(("127.0.0.1", 0), answers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
