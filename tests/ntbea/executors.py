"""An executor whose evaluations end as a test has written down."""

from concurrent.futures import Executor, Future

NOW = object()


class Ended(Future):
    """A future that does not wait: if it has not ended, its reader has waited long enough."""

    def result(self, timeout=None):
        if not self.done():
            raise KeyboardInterrupt
        return super().result(timeout)


class Script(Executor):
    """An executor that runs evaluations at once, after some that end as written down.

    An end is a result, an error, or None if the evaluation never starts.
    """

    def __init__(self, *ends):
        self.ends, self.futures = iter(ends), []

    def submit(self, evaluate, *given):
        end, future = next(self.ends, NOW), Ended()
        self.futures.append(future)
        try:
            end = evaluate(*given) if end is NOW else end
        except Exception as error:
            end = error
        if isinstance(end, BaseException):
            future.set_exception(end)
        elif end is not None:
            future.set_result(end)
        return future
