"""The questions of all lessons, for the page where they come back."""

from gameai_book.btmm import questions as btmm
from gameai_book.hanabi import questions as hanabi
from gameai_book.nrpa import questions as nrpa
from gameai_book.ntbea import questions as ntbea
from gameai_book.together import questions as together

#: Of each lesson, by its page: the title, and the module whose functions make its questions.
LESSONS = {
    "hanabi": ("Beliefs about a Hanabi hand", hanabi),
    "ntbea": ("Tuning a noisy game: NTBEA", ntbea),
    "btmm": ("Strength from results: Bradley–Terry and MM", btmm),
    "nrpa": ("Random games that learn", nrpa),
    "together": ("A partner that thinks", together),
}
