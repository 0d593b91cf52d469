import pytest

from finassay.errors import UnknownNameError
from finassay.study.adjudication.tasks import (
    ALIGNMENT,
    CORRECTNESS,
    NO_LABEL,
    PAIRWISE,
    READING,
    RUBRIC,
    TASKS,
    LabellingTask,
    Option,
    as_shown,
    as_stored,
    read_option,
    task_named,
)
from finassay.study.label_records import NOT_SURE


@pytest.mark.parametrize("task", TASKS.values(), ids=lambda task: task.name)
def test_every_menu_ends_in_not_sure_and_has_different_keys_and_labels(task: LabellingTask):
    menu = task.menu(("up", "down"), "up")
    assert menu[-1].label == "not sure"
    assert menu[-1].value is None
    assert len({option.label.casefold() for option in menu}) == len(menu)
    values = [option.value for option in menu if option.value is not None]
    assert all(0 <= value <= 1 for value in values)


@pytest.mark.parametrize(
    ("cell", "label"),
    [
        ("CORRECT", "CORRECT"),
        (" incorrect ", "INCORRECT"),
        ("c", "CORRECT"),
        ("Not  Sure", "not sure"),
        ("U", "not sure"),
    ],
)
def test_a_cell_is_read_by_label_or_key_whatever_its_case(cell: str, label: str):
    option = read_option(cell, CORRECTNESS.options)
    assert option is not None
    assert option.label == label


@pytest.mark.parametrize("cell", ["0.5", "0,5", ".5", "0.50", "5"])
def test_half_is_read_however_a_spreadsheet_writes_it(cell: str):
    option = read_option(cell, ALIGNMENT.options)
    assert option is not None
    assert option.value == 0.5


def test_on_a_rubric_a_number_is_the_label_and_not_a_key():
    assert [read_option(f"{k}.0", RUBRIC.options).value for k in range(11)] == [
        k / 10 for k in range(11)
    ]


def test_an_empty_cell_is_no_answer():
    assert read_option("  \n", CORRECTNESS.options) is None


@pytest.mark.parametrize("cell", ["CORRECTION", "maybe", "1E5", "=1+1", "corect", "CORRECT?"])
def test_a_word_that_is_not_on_the_menu_is_refused(cell: str):
    with pytest.raises(ValueError, match="must be one of 'CORRECT', 'INCORRECT', 'not sure'"):
        read_option(cell, CORRECTNESS.options)


def test_a_reading_offers_the_labels_of_the_item_and_knows_which_is_accepted():
    menu = READING.menu(("rise", "fall"), "fall")
    assert [(o.label, o.value) for o in menu] == [
        ("rise", 0.0),
        ("fall", 1.0),
        (NO_LABEL, None),
        ("not sure", None),
    ]
    assert read_option("2", menu).label == "fall"


def test_without_a_reference_a_reading_has_no_value():
    assert [o.value for o in READING.menu(("rise",), None)] == [None, None, None]


def test_a_pair_has_two_sides_and_a_tie():
    assert [option.label for option in PAIRWISE.options] == ["A", "B", "tie", "not sure"]


def test_an_unknown_task_is_refused():
    with pytest.raises(UnknownNameError, match="no labelling task is called 'taste'"):
        task_named("taste")


@pytest.mark.parametrize("task", TASKS.values(), ids=lambda task: task.name)
def test_every_option_has_one_key_of_its_own_that_pages_do_not_use(task: LabellingTask):
    menu = task.menu([f"label {at}" for at in range(31)])
    keys = [option.key for option in menu if option.label != NOT_SURE]
    assert all(len(key) == 1 for key in keys)
    assert len(set(keys)) == len(keys)
    # Notes, flags, going back, help and "not sure" have their own.
    assert not set(keys) & set("nfzu?")


def test_labels_beyond_the_keys_have_none():
    menu = READING.menu([f"label {at}" for at in range(40)])
    assert [option.key for option in menu[31:40]] == [""] * 9
    assert read_option("label 35", menu) is menu[35]


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("option", PAIRWISE.options, ids=lambda option: option.label)
def test_what_is_stored_of_a_pair_is_shown_again_as_it_was_chosen(option: Option, swapped: bool):  # noqa: FBT001
    label, _ = as_stored(PAIRWISE, option, swapped=swapped)
    assert as_shown(PAIRWISE, label, swapped=swapped) == option.label
