"""The front door: its names, and what they promise."""

import inspect
import re

import pytest

from gameai_lib import hanabi
from gameai_lib.hanabi import RuleAgent, State, v0_belief
from gameai_lib.hanabi.players import agents


@pytest.mark.parametrize("name", sorted({*hanabi.__all__} - {"NO_CARD"}))
def test_each_name_is_a_function_or_class_that_says_what_it_is(name):
    thing = getattr(hanabi, name)
    assert inspect.isfunction(thing) or inspect.isclass(thing)
    assert len(thing.__doc__.split()) > 4  # and not the signature that a class gets by itself
    assert not thing.__doc__.startswith(f"{name}(")


@pytest.mark.parametrize("thing", [RuleAgent, State, agents.Sight])
def test_attributes_are_what_the_page_of_the_api_can_show(thing):
    # It tears lists of names, and a function as a default would be a method of the class.
    section = thing.__doc__.partition("Attributes\n")[2].partition("\n\n")[0]
    assert not re.findall(r"^ *\w+, .* : ", section, re.MULTILINE)
    assert "belief" not in vars(RuleAgent)
    assert RuleAgent("IGGI").belief is v0_belief
