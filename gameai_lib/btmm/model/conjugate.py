"""Linear equations by conjugate gradients (Hestenes and Stiefel 1952): no matrix is made."""

from gameai_lib.btmm.model.mm import dot


def solve(product, wanted, scale, *, tol=1e-5, n_most=2000):
    """Return an x with A x = `wanted`, (n,) float; A has no negative eigenvalue.

    ``product(x)`` returns A x, and `scale` (n,) is the diagonal of A, or solves equations that are
    nearly these. An `ArithmeticError` if the norm of what is left is not below `tol` times that of
    `wanted` after `n_most` products, or there is no solution; of several, x is one.
    """
    nearly = scale if callable(scale) else lambda rest: rest / scale
    solution, rest = 0.0 * wanted, wanted.copy()
    scaled = nearly(rest)
    move, size = scaled.copy(), dot(rest, scaled)
    least = tol**2 * size
    for _ in range(n_most):
        if size <= least:
            return solution
        change = product(move)
        curve = dot(move, change)
        if not curve > 0:
            raise ArithmeticError("the equations have no solution")
        length = size / curve
        solution += length * move
        rest -= length * change
        scaled = nearly(rest)
        size, last = dot(rest, scaled), size
        move = scaled + size / last * move
    raise ArithmeticError(f"equations are not solved after {n_most} passes")
