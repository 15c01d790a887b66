"""How fast the page is beside a kernel: ``python -m benchmarks.page`` (``make book`` comes first).

The same work in this Python with numba, in the page's Python with its compiled kernels, and there
without them. What counts is the clock, as a reader feels it; a twentieth of each kind of work is
done beforehand, so that nothing is compiled or loaded meanwhile, and each takes numba some tenths
of a second: a browser compiles what runs often once more, and better.
"""

import json

# Runs here and in the page; where nothing is compiled, `SHARE` of the work is enough.
WORK = """
import json, time
import numpy as np

def measured():
    from gameai_lib import btmm, hanabi, nrpa, ntbea
    from gameai_lib.ntbea.game import planet_wars

    def search(make, n):
        def run(share):
            found, playouts = make(), max(1, round(n * share))
            start = time.perf_counter()
            found.advance(playouts)
            return playouts / (time.perf_counter() - start)
        return run

    def calls(function, n):
        def run(share):
            repeats = max(1, round(n * share))
            start = time.perf_counter()
            for _ in range(repeats):
                function()
            return repeats / (time.perf_counter() - start)
        return run

    def rng():
        return np.random.default_rng(1)

    cross, blocks = nrpa.morpion("5D"), nrpa.samegame(nrpa.bundled_board())
    tour = nrpa.tsptw(nrpa.bundled_tsptw("medium"))
    game = hanabi.play_game([hanabi.RuleAgent("IGGI")] * 2, np.random.default_rng(3))
    states = [f.state.public() for f in game if {len(hand) for hand in f.state.hands} == {5}]
    batch = [np.array(part) for part in zip(*states)]
    winners = rng().integers(0, 200, 5000)
    losers = (winners + rng().integers(1, 200, 5000)) % 200
    duels = btmm.from_pairs(winners, losers)
    space, counted = planet_wars.AGENT_SPACE, lambda point, rng: float(rng.random() < 0.5)
    work = {
        "NRPA, Morpion 5D: playouts": search(lambda: nrpa.NRPA(cross, 1, level=3), 20000),
        "NMCS, Morpion 5D: playouts": search(lambda: nrpa.NMCS(cross, 1, level=3), 20000),
        "random games, Morpion 5D": search(lambda: nrpa.FlatMonteCarlo(cross, 1), 20000),
        "NRPA, SameGame: playouts": search(lambda: nrpa.NRPA(blocks, 1, level=3), 5000),
        "NRPA, a tour of 20 cities: playouts": search(lambda: nrpa.NRPA(tour, 1, level=3), 20000),
        "exact belief, one state": calls(lambda: hanabi.exact_belief(*states[20]), 5000),
        "exact belief, a whole game": calls(lambda: hanabi.exact_belief(*batch), 100),
        "V1, one state": calls(lambda: hanabi.v1_belief(*states[20]), 5000),
        "V1, a whole game": calls(lambda: hanabi.v1_belief(*batch), 100),
        "BTMM, a fit of 5,000 duels": calls(lambda: btmm.fit(duels), 20),
        "NTBEA, 100 evaluations of nothing": calls(
            lambda: ntbea.tune(counted, space, 100, rng=1), 5),
        "Planet Wars, a game": calls(lambda: planet_wars.evaluate([0] * space.n_dims, rng()), 50),
    }
    rates = {}
    for name, run in work.items():
        run(SHARE / 20)
        rates[name] = run(SHARE)
    return rates

print(json.dumps(measured()))
"""
PLAIN = "from touchbook.page import wasm\nwasm._loaded['list'] = {}\n"
IN_A_WORKER = """async (code) => {
    const config = JSON.parse(document.querySelector("script.page-python").textContent);
    const here = new URL("../_static/", location.href);
    const address = (name) => new URL(name, here).href;
    for (const name of ["index", "numpy", "packages"]) config[name] = address(config[name]);
    const worker = new Worker(address("worker.js"), { type: "module" });
    let printed = "";
    return new Promise((done, failed) => {
        worker.onmessage = ({ data }) => {
            if (data.ready) {
                worker.postMessage({ run: { code, preparation: "", check: "", label: "" } });
            }
            if (data.printed) printed += data.printed;
            if (data.broken) failed(new Error(data.broken));
            if (data.done) data.done.error ? failed(new Error(data.done.error)) : done(printed);
        };
        worker.postMessage({ start: config });
    });
}"""


def here():
    """Rates in this Python."""
    names = {"SHARE": 1.0, "print": lambda text: names.update(rates=json.loads(text))}
    exec(compile(WORK, "<work>", "exec"), names)
    return names["rates"]


def page(share, before=""):
    """Rates in a worker of a built page."""
    from tests.support.built_pages import SITE
    from tests.support.chromium import launched
    from tests.support.serving import served

    with served(SITE) as address, launched() as chromium, chromium.new_page() as opened:
        opened.goto(f"{address}/book/nrpa.html")
        return json.loads(opened.evaluate(IN_A_WORKER, f"{before}SHARE = {share}\n{WORK}"))


def main():
    """Print the table."""
    with_numba, compiled, plain = here(), page(1.0), page(0.002, PLAIN)
    print(f"{'a second':38} {'numba':>9} {'page':>9} {'plain':>9}   page/numba  page/plain")
    for name, rate in with_numba.items():
        print(
            f"{name:38} {rate:9,.0f} {compiled[name]:9,.0f} {plain[name]:9,.1f}"
            f"   {compiled[name] / rate:10.2f} {compiled[name] / plain[name]:11,.0f}"
        )


if __name__ == "__main__":
    main()
