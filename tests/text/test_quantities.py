from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.text.dates import read_dates
from finassay.text.financial_years import read_financial_years
from finassay.text.folding import MOST
from finassay.text.provisions import read_provisions
from finassay.text.quantities import Quantity, read_quantities
from finassay.text.readings import read_all
from reference import spelled


def figure(value: Decimal) -> str:
    whole = value.quantize(Decimal(1)) if value == value.to_integral_value() else value.normalize()
    return f"{whole:f}"


def brief(quantity: Quantity) -> str:
    """Return a quantity in one line: value, upper end, kind, unit, comparator, maybe a year."""
    parts = [figure(quantity.value)]
    if quantity.high is not None:
        parts[0] += f"..{figure(quantity.high)}"
    parts += [] if quantity.kind == "plain" else [quantity.kind]
    parts += [quantity.unit] if quantity.unit else []
    parts += [] if quantity.comparator == "none" else [quantity.comparator]
    parts += ["year?"] if quantity.bare_year else []
    return " ".join(parts)


def briefs(text: str) -> list[str]:
    return [brief(quantity) for quantity in read_quantities(text)]


GROUPING = [
    ("1,23,456", ["123456"]),
    ("12,34,567.89", ["1234567.89"]),
    ("1,234,567.89", ["1234567.89"]),
    ("1,00,000", ["100000"]),
    ("12,500", ["12500"]),
    ("1.234,56", ["1234.56"]),
    ("1.234.567", ["1234567"]),
    ("12,5 %", ["12.5 percent"]),
    ("0,5", ["0.5"]),
    ("€ 3,2", ["3.2 money EUR"]),
    ("1,2,3", ["1", "2", "3"]),
    ("1'234'567", ["1234567"]),
    ("1\u00a0234\u00a0567", ["1234567"]),
    ("1\u202f234,5", ["1234.5"]),
    ("12\u2009500", ["12500"]),
    ("$1 234 567", ["1234567 money USD"]),
    ("the ratio is 3 5", ["3", "5"]),
    ("100 200 300", ["100", "200", "300"]),
    ("5.", ["5"]),
    ("The total is 72 units, altogether.", ["72 count"]),
    ("a bare , is none", []),
    (".45%", ["0.45 percent"]),
    ("42!", ["42"]),
    ("(42).", ["42"]),
    ("(42)", ["-42"]),
    ("1.2e7", ["12000000"]),
    ("3 × 10^6", ["3000000"]),
    ("2.5 × 10⁶", ["2500000"]),
    ("0.28500", ["0.285"]),
    ("1,2", ["1", "2"]),
    ("version 4.2.1", []),
]

SCALES = [
    ("Rs 12.5 crore", ["125000000 money INR"]),
    ("3.5 lakh crore", ["3500000000000"]),
    ("$1.2bn", ["1200000000 money USD"]),
    ("USD 3.4 million", ["3400000 money USD"]),
    ("USD34.6 million", ["34600000 money USD"]),
    ("1.2 million dollars", ["1200000 money USD"]),
    ("$1.2MM", ["1200000 money USD"]),
    ("12 cr", ["120000000"]),
    ("Rs. 5 Lacs", ["500000 money INR"]),
    ("5 lakhs", ["500000"]),
    ("£3.2m", ["3200000 money GBP"]),
    ("€5 bn", ["5000000000 money EUR"]),
    ("$5.3T", ["5300000000000 money USD"]),
    ("250k", ["250000"]),
    ("12.5M", ["12500000"]),
    ("3M", ["3000000"]),
    ("3M reported growth", []),
    ("5 m", ["5"]),
    ("5-million", ["5000000"]),
    ("1 crore 50 lakh", ["15000000"]),
    ("Rs. 1 crore 50 lakh", ["15000000 money INR"]),
    ("2 thousand crore", ["20000000000"]),
    ("5 trillion yen", ["5000000000000 money JPY"]),
    ("5 mn USD", ["5000000 money USD"]),
    ("INR 5,00,000 crore", ["5000000000000 money INR"]),
    ("248 billion South Korean Won", ["248000000000 money KRW"]),
    ("5 crore (50 million)", ["50000000", "50000000"]),
    ("8.7 \\text{ billion}", ["8700000000"]),
]

MONEY = [
    ("₹100,000", ["100000 money INR"]),
    ("Rs.500", ["500 money INR"]),
    ("Rs. 500/-", ["500 money INR"]),
    ("500/-", ["500 money INR"]),
    ("₨500", ["500 money INR"]),
    ("Re. 1", ["1 money INR"]),
    ("INR 500", ["500 money INR"]),
    ("US$5", ["5 money USD"]),
    ("U.S. $5", ["5 money USD"]),
    ("HK$5", ["5 money HKD"]),
    ("A$ 5", ["5 money AUD"]),
    ("C$5", ["5 money CAD"]),
    ("S$5", ["5 money SGD"]),
    ("¥500", ["500 money ¥"]),
    ("RMB 500", ["500 money CNY"]),
    ("CNY500", ["500 money CNY"]),
    ("CHF 500", ["500 money CHF"]),
    ("500 EUR", ["500 money EUR"]),
    ("5 US dollars", ["5 money USD"]),
    ("$5 HKD", ["5 money HKD"]),
    ("500 rupees", ["500 money INR"]),
    ("50 paise", ["0.5 money INR"]),
    ("50 cents", ["0.5 money USD"]),
    ("500000 yen", ["500000 money JPY"]),
    ("5 try to", ["5"]),
    ("all 5", ["5"]),
    ("&#8377;500 and 25&percnt;", ["500 money INR", "25 percent"]),
    ("\\$1,577", ["1577 money USD"]),
    ("$8.7$", ["8.7"]),
    ("$x = 8.7$", ["8.7"]),
    ("$\\$8.7$", ["8.7 money USD"]),
    ("100$", ["100 money USD"]),
    ("\\boxed{$5}", ["5 money USD"]),
    ("\\text{13}", ["13"]),
    ("**73**.", ["73"]),
    ("**$5** million", ["5000000 money USD"]),
    ("Rupees five lakh only", ["500000 money INR"]),
    ("Rs. 5,00,000 (Rupees five lakh only)", ["500000 money INR"]),
]

SIGNS = [
    ("-5", ["-5"]),
    ("−5", ["-5"]),
    ("–5%", ["-5 percent"]),
    ("-$5 million", ["-5000000 money USD"]),
    ("$-5", ["-5 money USD"]),
    ("(1,234)", ["-1234"]),
    ("$(1,234)", ["-1234 money USD"]),
    ("($1,234)", ["-1234 money USD"]),
    ("Net income was (1,234) million", ["-1234000000"]),
    ("net income ($1,234)", ["1234 money USD"]),
    ("rose by $1.2 bn (5%)", ["1200000000 money USD", "5 percent"]),
    ("Cash | 5,000 | (3,200)", ["5000", "-3200"]),
    ("minus ten", ["-10"]),
    ("negative 5%", ["-5 percent"]),
    ("8 minus 3", ["8", "3"]),
    ("the profit minus 50%", ["50 percent"]),
    ("it was minus 50%", ["-50 percent"]),
    ("= (2/3) * 3", ["0.6666666666666666666666666667", "3"]),
    ("= (1.008965)^2", ["1.008965", "2"]),
    ("the lower of (7.5 crore) or 5", ["75000000", "5"]),
    ("a rate of (0.6)%", ["-0.6 percent"]),
    ("INR (5,00,000)", ["-500000 money INR"]),
    ("- 5 days", ["5 duration day"]),
    ("x = - 5", ["-5"]),
    ("10-5", ["10", "5"]),
    ("+/- 0.5", ["0.5"]),
    ("+5%", ["5 percent"]),
    ("the fee (30)", ["30"]),
]

UNITS = [
    ("12%", ["12 percent"]),
    ("50 per cent", ["50 percent"]),
    ("fifty per cent", ["50 percent"]),
    ("5 pct", ["5 percent"]),
    ("2 percentage points", ["2 percentage_points"]),
    ("2 pp", ["2 percentage_points"]),
    ("1 percentage point", ["1 percentage_points"]),
    ("20 basis points", ["20 basis_points"]),
    ("20bps", ["20 basis_points"]),
    ("5‰", ["0.5 percent"]),
    ("9.5x", ["9.5 ratio x"]),
    ("9.5 times", ["9.5 ratio x"]),
    ("five-fold", ["5 ratio x"]),
    ("3:1", ["3 ratio x"]),
    ("a ratio of 1:10", ["0.1 ratio x"]),
    ("100 x 12 = 1,200", ["100", "12", "1200"]),
    ("30 days", ["30 duration day"]),
    ("30 calendar days", ["30 duration day"]),
    ("21 working days", ["21 duration working_day"]),
    ("21 business days", ["21 duration working_day"]),
    ("10 trading days", ["10 duration trading_day"]),
    ("6 months", ["6 duration month"]),
    ("a 12-month period", ["12 duration month"]),
    ("three quarters", ["3 duration quarter"]),
    ("5-year", ["5 duration year"]),
    ("two fortnights", ["4 duration week"]),
    ("7 directors", ["7 count"]),
    ("5 Rs", ["5 money INR"]),
    ("1/2", ["0.5"]),
    ("½", ["0.5"]),
    ("2½ years", ["2.5 duration year"]),
    ("2 1/2 years", ["2.5 duration year"]),
    ("1²", ["1"]),
    ("10²", ["10"]),
]

WORDS = [
    ("thirty", ["30"]),
    ("thirty (30) days", ["30 duration day"]),
    ("30 (thirty) days", ["30 duration day"]),
    ("thirty days (30 days)", ["30 duration day"]),
    ("thirty or sixty days", ["30", "60 duration day"]),
    ("five thousand, six hundred", ["5600"]),
    ("one million eighty two thousand", ["1082000"]),
    ("three hundred and sixty-five days", ["365 duration day"]),
    ("one hundred and twenty-one thousand two hundred", ["121200"]),
    ("twelve crore fifty lakh", ["125000000"]),
    ("three lakh crore", ["3000000000000"]),
    ("nineteen million US dollars", ["19000000 money USD"]),
    ("two-thirds", ["0.6666666666666666666666666667"]),
    ("two and a half crore", ["25000000"]),
    ("one and a half years", ["1.5 duration year"]),
    ("half a million", ["500000"]),
    ("half a per cent", ["0.5 percent"]),
    ("three-quarters", ["0.75"]),
    ("a third of the shares", ["0.3333333333333333333333333333"]),
    ("two point five million", ["2500000"]),
    ("a hundred", ["100"]),
    ("a dozen", ["12"]),
    ("zero", ["0"]),
    ("twenty-fifth", []),
    ("the second", []),
    ("millions of dollars", []),
    ("no one shall", []),
    ("one of the banks", []),
    ("one", ["1"]),
    ("The answer is: one.", ["1"]),
    ("one year", ["1 duration year"]),
    ("the first half of 2020 rose", []),
    ("two thousand, three people", ["2000", "3 count"]),
]

COMPARATORS = [
    ("at least 30 days", ["30 duration day at_least"]),
    ("not less than 30 days", ["30 duration day at_least"]),
    ("no fewer than 3 directors", ["3 count at_least"]),
    ("a minimum of Rs. 5 lakh", ["500000 money INR at_least"]),
    (">= 5%", ["5 percent at_least"]),
    ("≥5%", ["5 percent at_least"]),
    ("5% or more", ["5 percent at_least"]),
    ("10+ years", ["10 duration year at_least"]),
    ("at most 30 days", ["30 duration day at_most"]),
    ("not more than 30 days", ["30 duration day at_most"]),
    ("shall not exceed 5%", ["5 percent at_most"]),
    ("not exceeding Rs 5", ["5 money INR at_most"]),
    ("up to 5%", ["5 percent at_most"]),
    ("a maximum of 5", ["5 at_most"]),
    ("within 30 days", ["30 duration day at_most"]),
    ("within 5%", ["5 percent"]),
    ("more than 5%", ["5 percent more_than"]),
    ("in excess of $5", ["5 money USD more_than"]),
    ("exceeds 5%", ["5 percent more_than"]),
    ("over 5%", ["5 percent more_than"]),
    ("over three years", ["3 duration year"]),
    ("above 5%", ["5 percent more_than"]),
    ("not below 5%", ["5 percent at_least"]),
    ("greater than or equal to 5", ["5 at_least"]),
    ("less than 5%", ["5 percent less_than"]),
    ("below 5%", ["5 percent less_than"]),
    ("under the 5% cap", ["5 percent"]),
    ("about 5%", ["5 percent about"]),
    ("approximately $5", ["5 money USD about"]),
    ("~5%", ["5 percent about"]),
    ("nearly 5%", ["5 percent about"]),
    ("of 5%", ["5 percent"]),
    ("30 days or less", ["30 duration day at_most"]),
]

RANGES = [
    ("5-7%", ["5..7 percent"]),
    ("5–7 days", ["5..7 duration day"]),
    ("5% to 7%", ["5..7 percent"]),
    ("between 5 and 7 days", ["5..7 duration day"]),
    ("ranging from 5% to 7%", ["5..7 percent"]),
    ("increased from 5% to 7%", ["5 percent", "7 percent"]),
    ("5 and 7 days", ["5", "7 duration day"]),
    (
        "from $5 million in 2021 to $6 million",
        ["5000000 money USD", "2021 year?", "6000000 money USD"],
    ),
    ("comparing 5% to 7%", ["5 percent", "7 percent"]),
    ("Rs. 50 - 100 crore", ["500000000..1000000000 money INR"]),
    ("$5-7 million", ["5000000..7000000 money USD"]),
    ("$67-$70 billion", ["67000000000..70000000000 money USD"]),
    ("$5 million to $7 million", ["5000000..7000000 money USD"]),
    ("500-300 = 200", ["500", "300", "200"]),
    ("5-7 = -2", ["5", "7", "-2"]),
    ("three to five years", ["3..5 duration year"]),
    ("2019-2020", ["2019 year?", "2020 year?"]),
]

HAN = [
    ("二十万元", ["200000 money CNY"]),
    ("20万元", ["200000 money CNY"]),
    ("２０万元", ["200000 money CNY"]),
    ("200,000元", ["200000 money CNY"]),
    ("十万零五千", ["105000"]),
    ("百万", ["1000000"]),
    ("三万五", ["35000"]),
    ("人民币贰拾万元整", ["200000 money CNY"]),
    ("五成", ["50 percent"]),
    ("两三个月", ["2..3 duration month"]),
    ("1.5億元", ["150000000 money CNY"]),
    ("50萬円", ["500000 money JPY"]),
    ("三亿五千万", ["350000000"]),
    ("3亿5000万元", ["350000000 money CNY"]),
    ("百分之十二", ["12 percent"]),
    ("百分之12.5", ["12.5 percent"]),
    ("千分之五", ["0.5 percent"]),
    ("三分之一", ["0.3333333333333333333333333333"]),
    ("不超过30天", ["30 duration day at_most"]),
    ("五年以上", ["5 duration year at_least"]),
    ("5至7天", ["5..7 duration day"]),
    ("10个工作日内", ["10 duration working_day"]),
    ("2个百分点", ["2 percentage_points"]),
    ("增长了3倍", ["3 ratio x"]),
    ("500美元", ["500 money USD"]),
    ("统一", []),
    ("第一", []),
    ("万一", []),
    ("二〇二四年三月", []),
    ("上半年", []),
    ("半年", ["0.5 duration year"]),
    ("① 收入", []),
    ("约5%", ["5 percent about"]),
]

SCRIPTS = [
    ("５０％", ["50 percent"]),
    ("३०", ["30"]),
    ("٣٠", ["30"]),
    ("५ लाख", ["500000"]),
    ("5\u00a0lakh", ["500000"]),
    ("5\u200b0 days", ["50 duration day"]),
    ("5 lakh ✅", ["500000"]),
    ("₹ 5 करोड़", ["50000000 money INR"]),
]

NAMES = [
    ("1. Revenue", []),
    ("2) Cost of sales", []),
    ("Step 3: add", []),
    ("(1) revenue and (2) cost", []),
    ("7:30", []),
    ("at 5 pm", []),
    ("10 a.m.", []),
    ("Regulation 30(6)", []),
    ("Section 12A", []),
    ("Sections 4 and 5", []),
    ("Tier 1 capital", []),
    ("Form 10-K", []),
    ("10-K for 2018", ["2018 year?"]),
    ("clause (b)", []),
    ("Note 5", []),
    ("Notes 5 and 6", []),
    ("Item 7", []),
    ("Article 4", []),
    ("page 103", []),
    ("Exhibit 4.4", []),
    ("Commission file number 1-3619", []),
    ("No. 001-33764", []),
    ("SEBI (ICDR) Regulations 2018", []),
    ("two decimal places", ["2 count"]),
    ("Schedule III", []),
    ("第三十条", []),
    ("S&P 500", []),
    ("COVID-19", []),
    ("A11", []),
    ("SEBI/HO/2021/123", []),
    ("+44 117 9753200", []),
    ("(425) 703-7000", []),
    ("98-1455367", []),
    ("growth was strong [1].", []),
    ("https://example.com/2020/12345", []),
    ("1st quarter", []),
    ("1990s", []),
    ("FY 2012-13", []),
    ("FY2018", []),
    ("FY'22", []),
    ("Q2 2023", []),
    ("31 March 2024", []),
    ("01/02/2027", []),
    ("2027-01-01", []),
    ("in 2018", ["2018 year?"]),
    ("2,018", ["2018"]),
    ("$2018", ["2018 money USD"]),
    ("45 days under Regulation 30(6)", ["45 duration day"]),
    ("Section 5 may apply", []),
]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *GROUPING,
        *SCALES,
        *MONEY,
        *SIGNS,
        *UNITS,
        *WORDS,
        *COMPARATORS,
        *RANGES,
        *HAN,
        *SCRIPTS,
        *NAMES,
    ],
)
def test_what_is_read_is_what_a_careful_reader_reads(text: str, expected: list[str]):
    assert briefs(text) == expected


quick = settings(deadline=None, max_examples=250)
AMOUNTS = st.decimals(min_value=0, max_value=10**9, places=2, allow_nan=False)
WHOLE = st.integers(0, 10**12)


def western(value: Decimal | int) -> str:
    return f"{value:,}"


def indian(value: int) -> str:
    digits = str(value)
    if len(digits) <= 3:
        return digits
    head, tail = digits[:-3], digits[-3:]
    pairs = []
    while head:
        pairs.insert(0, head[-2:])
        head = head[:-2]
    return ",".join([*pairs, tail])


@quick
@given(value=AMOUNTS, sign=st.sampled_from(["", "-"]), money=st.sampled_from(["", "$", "Rs. "]))
def test_a_formatted_amount_is_read_back(value: Decimal, sign: str, money: str):
    (quantity,) = read_quantities(f"It was {sign}{money}{western(value)} then")
    assert quantity.value == (-value if sign else value)
    assert quantity.step == Decimal("0.01")


@quick
@given(value=WHOLE)
def test_indian_and_western_grouping_are_read_alike(value: int):
    (first,) = read_quantities(f"Rs. {indian(value)}")
    (second,) = read_quantities(f"Rs. {western(value)}")
    assert first.value == second.value == value


@quick
@given(value=st.integers(0, 10**15 - 1))
def test_english_words_are_read_back(value: int):
    (quantity,) = read_quantities(f"{spelled.english(value)} days")
    assert quantity.value == value
    assert quantity.words


@quick
@given(value=st.integers(1, 10**12 - 1))
def test_indian_words_are_read_back(value: int):
    (quantity,) = read_quantities(f"{spelled.indian(value)} rupees")
    assert quantity.value == value


@quick
@given(value=st.integers(0, 10**16 - 1))
def test_chinese_numerals_are_read_back(value: int):
    (quantity,) = read_quantities(f"{spelled.chinese(value)}元")
    assert (quantity.value, quantity.unit) == (value, "CNY")


PIECES = st.sampled_from(
    ["1", "12", "1,234", "5.5", ".5", "2019", "2019-20", "01/02/2027", "(", ")", "$", "₹", "Rs.",
     "%", " per cent", " million", " crore", "k", "m", "x", "-", "–", " to ", " and ", "between ",
     "thirty", "one", "half a ", "hundred", "third", "days", "Section ", "(b)", "of ", "March ",
     "FY", "Q2 ", "三", "百", "万", "分之", "元", "月", "半", "**", "\\text{", "&#8377;", "\u200b",
     "\u00a0", " ", "\n", ". ", ", ", ":", "=", "/", "½", "①", "²", "e", "×", "10", "at least ",
     "≥", "İ", "१", "[1]", "no. "]
)  # fmt: skip


@settings(deadline=None, max_examples=600)
@given(text=st.lists(PIECES, max_size=14).map("".join))
def test_spans_rise_and_each_reads_the_same_alone(text: str):
    until = 0
    for quantity in read_quantities(text):
        assert until <= quantity.start < quantity.end <= len(text)
        until = quantity.end
        (again,) = read_quantities(text[quantity.start : quantity.end])
        assert (again.value, again.high) == (quantity.value, quantity.high)


@quick
@given(text=st.text(max_size=120))
def test_no_text_makes_the_reader_raise(text: str):
    for quantity in read_quantities(text):
        assert quantity.value.is_finite()
        assert quantity.step >= 0
        assert quantity.high is None or quantity.high > quantity.value


@pytest.mark.parametrize(
    ("text", "step", "scale"),
    [
        ("8.7 billion", "100000000", "1000000000"),
        ("30", "1", "1"),
        ("8.70", "0.01", "1"),
        ("1,577", "1", "1"),
        ("12.5 crore", "1000000", "10000000"),
        ("5%", "1", "1"),
        ("two-thirds", "0", "1"),
        ("3亿", "100000000", "100000000"),
        ("三亿", "100000000", "1"),
        ("five million", "1000000", "1"),
        ("50 paise", "0.01", "0.01"),
        ("$5-7 million", "1000000", "1000000"),
    ],
)
def test_the_step_is_one_unit_of_the_last_digit_shown(text: str, step: str, scale: str):
    (quantity,) = read_quantities(text)
    assert (quantity.step, quantity.scale) == (Decimal(step), Decimal(scale))


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("It was **$5** million.", "$5** million"),
        ("a fee of Rs. 500/- only", "Rs. 500/-"),
        ("thirty (30) days", "thirty (30) days"),
        ("between 5 and 7 days", "5 and 7 days"),
        ("about minus ten per cent", "minus ten per cent"),
        ("a loss of $(1,234) million", "$(1,234) million"),
        ("&#8377;500 each", "&#8377;500"),
    ],
)
def test_the_span_is_all_that_belongs_to_the_figure(text: str, span: str):
    (quantity,) = read_quantities(text)
    assert text[quantity.start : quantity.end] == span


def test_readings_share_one_pass_and_agree_with_the_readers():
    text = "Under **Regulation 30(6)** of 1 April 2024, Q2 FY2024 sales were Rs. 12.5 crore."
    readings = read_all(text)
    assert readings.quantities == read_quantities(text)
    assert readings.dates == read_dates(text)
    assert readings.financial_years == read_financial_years(text)
    assert readings.provisions == read_provisions(text)
    assert [len(found) for found in (readings.quantities, readings.provisions)] == [1, 1]


def test_only_the_first_and_last_figures_of_a_hostile_text_are_looked_at():
    text = " ".join(str(number) for number in range(10, 10 + 3 * MOST))
    quantities = read_quantities(text)
    assert len(quantities) == MOST
    assert (quantities[0].value, quantities[-1].value) == (10, 9 + 3 * MOST)
