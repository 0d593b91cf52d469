"""Requests made up from the OpenAPI document, and what no answer may be."""

from __future__ import annotations

import random
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, given, seed, settings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import schemathesis
    from schemathesis import APIOperation, Case

BODIES = {"json", "content", "data", "files"}


@dataclass(slots=True)
class ApiFuzzer:
    """Sends requests to every operation of an application, and keeps what came back.

    Attributes:
        client: of the application.
        headers: sent with every request, for instance a token.
        known: values that exist, by the name of a parameter: half of the requests use them.
        statuses: answers by operation and status.
        faults: requests that were answered with a fault of the server, or not in the form that the
            document promises.
    """

    client: TestClient
    headers: Mapping[str, str] = field(default_factory=dict)
    known: Mapping[str, Sequence[str]] = field(default_factory=dict)
    statuses: Counter[tuple[str, int]] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def run(self, *, examples: int, start: int = 0) -> None:
        """Send so many requests to each operation; the same `start` gives the same requests."""
        document = self.client.get("/api/openapi.json").json()
        schema = schemathesis.openapi.from_dict(document)
        schema.config.update(base_url="http://127.0.0.1")
        for found in schema.get_all_operations():
            self._operation(found.ok(), examples, start)

    def _operation(self, operation: APIOperation, examples: int, start: int) -> None:
        chance = random.Random(f"{start} {operation.label}")

        @seed(start)
        @settings(
            max_examples=examples,
            derandomize=start == 0,
            database=None,
            deadline=None,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy())
        def send(case: Case) -> None:
            for part in (case.path_parameters, case.query):
                for name in set(part or ()) & set(self.known):
                    if chance.random() < 0.5:
                        part[name] = chance.choice(self.known[name])
            self._send(case, operation.label)

        send()

    def _send(self, case: Case, label: str) -> None:
        made = case.as_transport_kwargs(headers=dict(self.headers))
        body = {name: value for name, value in made.items() if name in BODIES}
        if isinstance(body.get("data"), str | bytes):
            body["content"] = body.pop("data")
        request = self.client.build_request(
            made["method"],
            made["url"],
            params=made.get("params"),
            cookies=made.get("cookies"),
            headers={**made.get("headers", {}), **self.headers},
            **body,
        )
        answer = self.client.send(request, follow_redirects=False)
        self.statuses[label, answer.status_code] += 1
        shown = f"{label}: {answer.status_code} for {request.method} {request.url} {body}"
        is_json = answer.headers.get("content-type", "").startswith("application/json")
        if answer.status_code >= 500:
            self.faults.append(f"{shown}: {answer.text[:300]}")
        elif answer.status_code >= 400 and not (is_json and "error" in answer.json()):
            self.faults.append(f"{shown}: not an error in the form of the API")

    def lines(self) -> list[str]:
        """Return what was answered, a line for each operation."""
        labels = sorted({label for label, _ in self.statuses})
        return [
            f"{label}: "
            + ", ".join(
                f"{status} x {count}"
                for (name, status), count in sorted(self.statuses.items())
                if name == label
            )
            for label in labels
        ]
