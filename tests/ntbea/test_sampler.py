"""`TuneSampler` in a study of Optuna, where that is installed."""

import pytest

optuna = pytest.importorskip("optuna")

from gameai_lib.ntbea.search.sampler import TuneSampler  # noqa: E402


def play(trial):
    """Best with kind b, rate 0.01, depth 8 and share 0.5."""
    kind = trial.suggest_categorical("kind", ["a", "b", None])
    rate = trial.suggest_float("rate", 1e-4, 1, log=True)
    depth = trial.suggest_int("depth", 0, 100, step=4)
    share = trial.suggest_float("share", 0, 1, step=0.25)
    wrong = (kind != "b") + abs(rate - 0.01) ** 0.5 + abs(depth - 8) / 100 + abs(share - 0.5)
    return wrong if trial.study.direction.name == "MINIMIZE" else -wrong


@pytest.mark.parametrize("direction", ["minimize", "maximize"])
def test_a_study_finds_what_is_best_in_either_direction(direction):
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(direction=direction, sampler=TuneSampler(1))
    study.optimize(play, 60)
    best = study.sampler.tuner(study).best().values
    assert (best["kind"], best["rate"], best["share"]) == ("b", 0.01, 0.5)
    assert best["depth"] in (0, 12, 16)
    again = TuneSampler(1).tuner(study)  # another that goes on from the same trials
    assert again.model.n_evaluations == 60


def test_other_parameters_and_other_samplers_are_no_obstacle():
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(1))
    study.optimize(play, 5)
    study.sampler = TuneSampler(1)

    def branch(trial):
        if trial.number % 2:
            trial.suggest_int("more", 1, 3)
        if trial.number % 5 == 0:
            raise optuna.TrialPruned
        return play(trial)

    study.optimize(branch, 12)
    assert study.sampler.tuner(study).space.names == ("depth", "kind", "rate", "share")
    assert 10 < study.sampler.tuner(study).model.n_evaluations <= 17


def test_what_cannot_be_tuned_is_refused():
    with pytest.raises(ValueError, match="one objective can be tuned, got 2"):
        TuneSampler().tuner(optuna.create_study(directions=["minimize", "maximize"]))
    with pytest.raises(ValueError, match="rule must be one of"):
        TuneSampler(rule="best")
