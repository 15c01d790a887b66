"""Linear equations by conjugate gradients (Hestenes and Stiefel 1952): no matrix is made."""

from gameai_lib.btmm.model.mm import dot


def solve(product, wanted, scale, *, tol=1e-5, n_most=2000):
    """Return x with A x = `wanted`, A symmetric and without negative eigenvalues.

    Where A is singular and there is such an x, it is one of them.

    Parameters
    ----------
    product : function
        ``product(x)`` returns A x.
    wanted : (n,) float array
    scale : (n,) float array
        The diagonal of A, with which the equations are scaled.
    tol : float
        The norm of what is left, of that of `wanted`.
    n_most : int
        How often `product` is asked.

    Raises
    ------
    ArithmeticError
        If `tol` is not reached by then, or there is no solution.
    """
    solution, rest = 0.0 * wanted, wanted.copy()
    scaled = rest / scale
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
        scaled = rest / scale
        size, last = dot(rest, scaled), size
        move = scaled + size / last * move
    raise ArithmeticError(f"equations are not solved after {n_most} passes")
