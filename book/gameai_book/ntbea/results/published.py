"""Published results on Planet Wars' 288 agents, beside which ours can be set.

Lucas et al. (2019), table 2: 288 evaluations of an agent that plans with 2000 calls of the
game's model, mean result of what each method recommends and its standard error. Ours plan
with 200 calls, under a score that does not count ships in flight.
"""

from gameai_book.ntbea.contest.whys import Means

BEST = 0.6  # of the 288 agents, as published

# In words of that table; "5×" and "10×" spend five and ten times the evaluations.
PLANET_WARS = {
    "RMHC(1)": Means(-0.29, 0.01),
    "CMA-ES": Means(-0.12, 0.04),
    "UH-CMA-ES": Means(-0.09, 0.04),
    "RMHC(5)": Means(0.01, 0.01),
    "SGA": Means(0.03, 0.01),
    "CMA-ES, 5×": Means(0.29, 0.02),
    "UH-CMA-ES, 5×": Means(0.32, 0.03),
    "SWcGA": Means(0.36, 0.01),
    "SMEDA": Means(0.38, 0.01),
    "NTBEA(1 2 5)−": Means(0.41, 0.01),
    "UH-CMA-ES, 10×": Means(0.44, 0.02),
    "CMA-ES, 10×": Means(0.48, 0.02),
    "SMAC": Means(0.49, 0.01),
    "NTBEA(1)": Means(0.50, 0.01),
    "NTBEA(1 2)": Means(0.51, 0.01),
    "NTBEA(1 2 5)": Means(0.51, 0.01),
}
