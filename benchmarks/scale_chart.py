"""Memory and processor time against size, as one picture.  In: what was measured.  Out: SVG."""

from __future__ import annotations

import math

from finassay.reports.canvas import BLUE, INK, MUTED, ORANGE, RULE, SHAPES, Canvas, render

STAGES = ("import", "score", "check", "digest", "audit")
WIDE, TALL, GAP, LEFT, TOP, FOOT = 250.0, 220.0, 90.0, 62.0, 34.0, 64.0
PANELS = (("cpu_s", "processor seconds"), ("peak_mib", "peak MiB"))
COLOURS = (BLUE, ORANGE, INK, MUTED, BLUE)


def scale_chart(result):
    """Return an SVG with one panel for time and one for memory, both on logarithmic axes."""
    runs = result["runs"]
    canvas = Canvas(LEFT + 2 * WIDE + GAP + 20, TOP + TALL + FOOT)
    for at, (part, title) in enumerate(PANELS):
        _panel(canvas, runs, part, title, LEFT + at * (WIDE + GAP))
    _legend(canvas)
    first, last = runs[0]["predictions"], runs[-1]["predictions"]
    summary = "; ".join(
        f"{name}: {_at(runs[-1], name, 'cpu_s'):,.0f} s, {_at(runs[-1], name, 'peak_mib'):,.0f} MiB"
        for name in STAGES
        if name in runs[-1]["stages"]
    )
    return render(
        canvas,
        key="scale",
        title=f"Processor time and memory from {first:,} to {last:,} predictions",
        summary=f"At {last:,} predictions: {summary}.",
    )


def _at(run, stage, part):
    return run["stages"][stage][part]


def _panel(canvas, runs, part, title, left):
    values = [_at(run, name, part) for run in runs for name in run["stages"]]
    low, high = (math.floor(math.log10(min(values))), math.ceil(math.log10(max(values))))
    sizes = [run["predictions"] for run in runs]
    least, most = math.log10(min(sizes)), math.log10(max(sizes))

    def x(size):
        return left + WIDE * (math.log10(size) - least) / max(most - least, 1e-9)

    def y(value):
        return TOP + TALL * (1 - (math.log10(value) - low) / max(high - low, 1))

    ticks = range(low, high + 1)
    canvas.rules(
        [{"x": left, "y": y(10**t), "x2": left + WIDE, "y2": y(10**t)} for t in ticks], color=RULE
    )
    canvas.texts(
        [{"x": left - 8, "y": y(10**t), "text": f"{10.0**t:,.10g}"} for t in ticks],
        color=MUTED, size=11, align="right",
    )  # fmt: skip
    canvas.texts(
        [{"x": x(size), "y": TOP + TALL + 14, "text": _short(size)} for size in sizes],
        color=MUTED, size=11, align="center",
    )  # fmt: skip
    canvas.texts([{"x": left, "y": TOP - 18, "text": title}], bold=True)
    for name, colour, shape in zip(STAGES, COLOURS, SHAPES, strict=False):
        marks = [
            {"x": x(run["predictions"]), "y": y(_at(run, name, part)), "series": name,
             "d": f"{name}, {run['predictions']:,}: {_at(run, name, part):,.1f}"}
            for run in runs
            if name in run["stages"]
        ]  # fmt: skip
        canvas.lines(marks, color=colour, width=1.4)
        canvas.points(marks, color=colour, shape=shape, size=44)


def _short(size):
    power = math.log10(size)
    return f"10^{power:.0f}" if power.is_integer() else f"{size:,}"


def _legend(canvas):
    for at, (name, colour, shape) in enumerate(zip(STAGES, COLOURS, SHAPES, strict=False)):
        left = LEFT + at * 96
        canvas.points([{"x": left, "y": TOP + TALL + 46}], color=colour, shape=shape, size=44)
        canvas.texts([{"x": left + 10, "y": TOP + TALL + 46, "text": name}])
