"""Scales and units of Chinese and Japanese text after a figure.  In: a text.  Out: what follows."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from finassay.text.numerals import ONE
from finassay.text.units import Unit

_TEN_THOUSAND, _HUNDRED_MILLION = Decimal(10**4), Decimal(10**8)
HAN_SCALES = {
    "十": Decimal(10),
    "百": Decimal(100),
    "千": Decimal(1000),
    "万": _TEN_THOUSAND,
    "萬": _TEN_THOUSAND,
    "亿": _HUNDRED_MILLION,
    "億": _HUNDRED_MILLION,
    "兆": Decimal(10**12),
}


class HanAfter(NamedTuple):
    """Scale and unit after a figure: where they end, the factor and the unit (None if none)."""

    end: int
    scale: Decimal
    unit: Unit | None


def _money(code: str, factor: str = "1") -> Unit:
    return Unit("money", code, Decimal(factor))


_DAY = Unit("duration", "day")
_UNITS = {
    "元": _money("CNY"),
    "块": _money("CNY"),
    "人民币": _money("CNY"),
    "人民幣": _money("CNY"),
    "圆": _money("CNY"),
    "圓": _money("CNY"),
    "円": _money("JPY"),
    "美元": _money("USD"),
    "美金": _money("USD"),
    "美分": _money("USD", "0.01"),
    "港元": _money("HKD"),
    "港币": _money("HKD"),
    "港幣": _money("HKD"),
    "欧元": _money("EUR"),
    "歐元": _money("EUR"),
    "日元": _money("JPY"),
    "日圆": _money("JPY"),
    "英镑": _money("GBP"),
    "英鎊": _money("GBP"),
    "卢比": _money("INR"),
    "韩元": _money("KRW"),
    "澳元": _money("AUD"),
    "加元": _money("CAD"),
    "新元": _money("SGD"),
    "新台币": _money("TWD"),
    "瑞士法郎": _money("CHF"),
    "百分点": Unit("percentage_points"),
    "百分點": Unit("percentage_points"),
    "基点": Unit("basis_points"),
    "基點": Unit("basis_points"),
    "倍": Unit("ratio", "x"),
    "成": Unit("percent", "", Decimal(10)),
    "工作日": Unit("duration", "working_day"),
    "交易日": Unit("duration", "trading_day"),
    "自然日": _DAY,
    "天": _DAY,
    "日": _DAY,
    "月": Unit("duration", "month"),
    "年": Unit("duration", "year"),
    "季度": Unit("duration", "quarter"),
    "小时": Unit("duration", "hour"),
    "小時": Unit("duration", "hour"),
    "分钟": Unit("duration", "minute"),
    "分鐘": Unit("duration", "minute"),
    "周": Unit("duration", "week"),
    "星期": Unit("duration", "week"),
    **{word: Unit("count") for word in "个個名家股人次只份条條项項款笔筆户位件"},
}
_NAMES = "|".join(sorted((name for name in _UNITS if len(name) > 1), key=len, reverse=True))
_AFTER = re.compile(
    rf"[ \xa0]?(?P<scale>[十百千万萬亿億兆]{{0,3}})(?P<more>[多余餘])?(?P<scale2>[万萬亿億])?"
    rf"(?:[ \xa0]?[个個]?(?P<name>{_NAMES}|[元块圆圓円倍天日周](?![常均前后後报報])"
    r"|年(?![报報度利化])|成(?![员員立为為本果功交长長分])|(?<=[个個])月|[个個名家股人次只份条條项項款笔筆户位件])"
    r"[整正]?)?"
)


def han_after(low: str, at: int) -> HanAfter | None:
    """Return scale and unit that Chinese or Japanese characters give a figure; None if none."""
    found = _AFTER.match(low, at)
    if found is None or found.end() == at:
        return None
    scale = ONE
    for character in f"{found['scale']}{found['scale2'] or ''}":
        scale *= HAN_SCALES[character]
    name = found["name"]
    if name is None and scale == 1:
        return None
    return HanAfter(found.end(), scale, None if name is None else _UNITS[name])
