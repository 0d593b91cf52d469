"""Records of every shape, for properties of the study room."""

from hypothesis import strategies as st

from finassay.records import (
    FINISHES,
    SYSTEM_KINDS,
    AnswerContract,
    Erratum,
    Item,
    Prediction,
    ReportedScore,
    RunRecord,
    SystemSpec,
)

texts = st.text(max_size=12)
names = st.text(min_size=1, max_size=12)
text_tuples = st.lists(texts, max_size=3).map(tuple)
pair_tuples = st.lists(st.tuples(texts, texts), max_size=3).map(tuple)
counts = st.none() | st.integers(min_value=0, max_value=2**53)
reals = st.none() | st.floats(allow_nan=False)

contracts = st.builds(
    AnswerContract,
    type=st.none() | texts,
    unit=st.none() | texts,
    scale=st.none() | texts,
    decimals=st.none() | st.integers(0, 12),
    comparator=st.sampled_from([None, "ignore", "respect"]),
    percent=st.sampled_from([None, "allow", "forbid", "flag"]),
)
items = st.builds(
    Item,
    item_id=names,
    benchmark=texts,
    family=texts,
    task=texts,
    difficulty=texts,
    language=texts,
    split=texts,
    question=texts,
    context=texts,
    contexts=text_tuples,
    reference=st.none() | texts,
    alternatives=text_tuples,
    choices=text_tuples,
    contract_id=texts,
    contract=contracts,
    documents=text_tuples,
    strata=pair_tuples,
    erratum=st.none() | st.builds(Erratum, old_reference=texts, by=texts, reason=texts),
)
systems = st.builds(
    SystemSpec,
    name=names,
    kind=st.sampled_from(SYSTEM_KINDS),
    model=texts,
    provider=texts,
    decoding=pair_tuples,
    budget=texts,
    stop=text_tuples,
    prompt_arm=texts,
    prompt_hash=texts,
    few_shot=text_tuples,
    model_family=texts,
)
runs = st.builds(
    RunRecord,
    run_id=names,
    system_id=names,
    started=texts,
    ended=texts,
    retries=st.integers(0, 100),
    served_model=texts,
    packages=pair_tuples,
    environment=texts,
    prediction_digest=texts,
)
predictions = st.builds(
    Prediction,
    item_id=names,
    system_id=names,
    trial=st.integers(0, 1000),
    text=texts,
    reasoning=texts,
    finish=st.sampled_from(FINISHES),
    tool_extracted=st.none() | texts,
    tokens_in=counts,
    tokens_out=counts,
    latency_s=reals,
    cost_usd=reals,
    run_id=texts,
    flags=text_tuples,
)
reported = st.builds(
    ReportedScore,
    source=names,
    table=texts,
    row=texts,
    column=texts,
    value=st.floats(allow_nan=False),
    printed=texts,
    unit=texts,
    n=counts,
    note=texts,
)
