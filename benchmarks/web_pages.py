"""Server time of every page over 100,000 predictions, and memory of the server.

    python benchmarks/web_pages.py [--study DIRECTORY] [--times 30] [--json FILE] [--only WORDS]

Makes the study once (see web_study.py), serves it in a process of its own, and asks for every page
and every answer of the API: first once, until its analysis is there, then so many times.  Time is
from request to the last byte, over a loopback connection that stays open; the mean processor time
of the server stands beside it, for machines that do other work too.

Floors: 300 ms at the median for every page, 1 GiB for the server.  Exits with 1 where one is
missed.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import quote

from web_study import build

MOST_MS, MOST_MIB = 300.0, 1024.0
PATIENCE_S = 3600

SERVE = """
import sys, uvicorn
from pathlib import Path
from finassay.apps.web.app import create_app
from finassay.apps.web.settings import WebSettings
app = create_app(WebSettings(study=Path(sys.argv[1])))
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[2]), log_level="error")
"""


def addresses(study):
    """Return (name, address) of every page and of the API over the made-up study."""
    snapshot = study.snapshot()
    items = sorted(item.item_id for item in snapshot.items())
    first, second = (spec.name for spec in snapshot.systems()[:2])
    item = quote(items[len(items) // 2])
    pair = f"a={quote(first)}&b={quote(second)}"
    return [
        ("leaderboard", "/"),
        ("leaderboard, a regime", "/?regime=judge-only"),
        ("rules", "/rules"),
        ("items", "/items"),
        ("items, page 20", "/items?page=20"),
        ("items, most disputed", "/items?order=disagreement&disputed=true"),
        ("items, one family, hardest", "/items?family=NUM&order=k"),
        ("items, words", "/items?q=trustee"),
        ("items, words in replies", "/items?q=trustee&where=replies"),
        ("items, a system is wrong", f"/items?system={quote(first)}&outcome=wrong"),
        ("item", f"/item?id={item}"),
        ("item, second page", f"/item?id={item}&page=2"),
        ("item, in a filtered list", f"/item?id={item}&q=clause&order=k"),
        ("why", f"/why?id={item}&system={quote(first)}"),
        ("difficulty", "/difficulty"),
        ("difficulty, a system", f"/difficulty?system={quote(first)}"),
        ("compare", f"/compare?{pair}"),
        ("compare, lost", f"/compare?{pair}&show=lost&page=2"),
        ("judges", "/judges"),
        ("operations", "/operations"),
        ("ask", "/ask"),
        ("ask the rules", "/ask-the-rules"),
        ("adjudicate", "/adjudicate"),
        ("submit", "/submit"),
        ("about", "/about"),
        ("API leaderboard", "/api/leaderboard"),
        ("API rules", "/api/rules"),
        ("API items", "/api/items"),
        ("API item", f"/api/items/{item}"),
        ("API example", "/api/example?task=num&diff=hard"),
        ("API difficulty", f"/api/difficulty?system={quote(first)}"),
        ("API compare", f"/api/compare?{pair}"),
        ("API judges", "/api/judges"),
        ("API operations", "/api/operations"),
        ("API ask", "/api/ask"),
        ("API description", "/api/openapi.json"),
    ]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """The application in a process of its own, and one connection to it."""

    def __init__(self, root):
        self.port = free_port()
        self.process = subprocess.Popen([sys.executable, "-c", SERVE, str(root), str(self.port)])
        self.connection = None
        end = time.monotonic() + 120
        while time.monotonic() < end:
            try:
                self.ask("/about")
            except OSError:
                time.sleep(0.1)
            else:
                return
        raise SystemExit("the server did not come up within two minutes")

    def ask(self, address):
        """Return status, size in bytes and milliseconds of one request."""
        try:
            return self._asked(address)
        except (http.client.HTTPException, OSError):
            # The server lets go of a connection that was idle.
            self.connection.close()
            self.connection = None
            return self._asked(address)

    def _asked(self, address):
        if self.connection is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        start = time.perf_counter()
        self.connection.request("GET", address)
        answer = self.connection.getresponse()
        size = len(answer.read())
        return answer.status, size, (time.perf_counter() - start) * 1000

    def cpu_ms(self):
        """Return the processor time that the server has used so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def mib(self, field):
        """Return the memory of the server: VmRSS now, VmHWM the greatest so far."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith(field):
                return int(line.split()[1]) / 1024
        return 0.0

    def peak_mib(self):
        """Return the greatest memory so far."""
        return self.mib("VmHWM")

    def close(self):
        """End the server."""
        self.process.terminate()
        self.process.wait()


def warmed(server, address):
    """Return the status of the first answer that is no waiting page, and seconds until then."""
    start = time.perf_counter()
    while True:
        status, _, _ = server.ask(address)
        waited = time.perf_counter() - start
        if status != 202 or waited > PATIENCE_S:
            return status, waited
        time.sleep(0.5)


def measure(server, name, address, times):
    status, first_s = warmed(server, address)
    row = {"page": name, "address": address, "status": status, "first_s": round(first_s, 1)}
    row["rss_mib"] = round(server.mib("VmRSS"))
    if status not in {200, 303}:
        return row
    took, size, used = [], 0, server.cpu_ms()
    for _ in range(times):
        _, size, ms = server.ask(address)
        took.append(ms)
    took.sort()
    row["median_ms"] = round(statistics.median(took), 1)
    row["p95_ms"] = round(took[min(len(took) - 1, int(0.95 * len(took)))], 1)
    row["cpu_ms"] = round((server.cpu_ms() - used) / times, 1)
    row["bytes"] = size
    row["rss_mib"], row["peak_mib"] = round(server.mib("VmRSS")), round(server.peak_mib())
    return row


def shown(row):
    if "median_ms" not in row:
        return f"{row['page']:<30} status {row['status']}, {row['rss_mib']} MiB"
    slow = "  TOO SLOW" if row["median_ms"] > MOST_MS else ""
    return (
        f"{row['page']:<30} {row['median_ms']:>8.1f} {row['p95_ms']:>8.1f} {row['cpu_ms']:>8.1f} "
        f"{row['bytes']:>9} {row['first_s']:>8.1f} {row['rss_mib']:>6} {row['peak_mib']:>6}{slow}"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--study", type=Path, default=Path("web-study"))
    parser.add_argument("--times", type=int, default=30)
    parser.add_argument(
        "--only",
        default="",
        help="measure pages whose names hold one of these words, with commas between",
    )
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    study = build(args.study)
    server = Server(args.study)
    heads = ("median", "p95, ms", "CPU, ms")
    print(
        f"{'page':<30} {' '.join(f'{head:>8}' for head in heads)}     bytes first, s    MiB   peak"
    )
    rows = []
    try:
        for name, address in addresses(study):
            if any(word in name for word in args.only.split(",")):
                rows.append(measure(server, name, address, args.times))
                print(shown(rows[-1]), flush=True)
        peak = server.peak_mib()
    finally:
        server.close()
    slow = [row["page"] for row in rows if row.get("median_ms", 0.0) > MOST_MS]
    failed = [row["page"] for row in rows if row["status"] >= 500]
    slowest = max((row.get("median_ms", 0.0) for row in rows), default=0.0)
    result = {"cores": os.cpu_count(), "times": args.times, "peak_mib": round(peak), "pages": rows}
    result |= {"slowest_median_ms": slowest, "page_count": len(rows)}
    if args.json:
        args.json.write_text(json.dumps(result, indent=2) + "\n")
    print(f"slowest median {slowest:.0f} ms; "
          f"peak of the server {peak:.0f} MiB; {os.cpu_count()} cores")  # fmt: skip
    if slow or failed or peak > MOST_MIB:
        print(f"missed: {', '.join([*slow, *failed]) or 'memory'}")
        sys.exit(1)


if __name__ == "__main__":
    main()
