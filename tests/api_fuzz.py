"""Requests made up from the OpenAPI document, and what no answer may be."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, given, seed, settings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import schemathesis
    from schemathesis import Case


@dataclass(slots=True)
class Fuzzed:
    """What an application answered.

    Attributes:
        statuses: answers by operation and status.
        faults: requests that were answered with a fault of the server, or not in the form that the
            document promises.
    """

    statuses: Counter[tuple[str, int]] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def fuzz(
    client: TestClient, *, headers: Mapping[str, str], examples: int, start: int = 0
) -> Fuzzed:
    """Send made-up requests to every operation of the API, and return what came back.

    Args:
        client: of the application.
        headers: sent with every request, for instance a token.
        examples: requests for each operation.
        start: seed; the same gives the same requests.
    """
    document = client.get("/api/openapi.json").json()
    schema = schemathesis.openapi.from_dict(document)
    schema.config.update(base_url="http://127.0.0.1")
    fuzzed = Fuzzed()
    for found in schema.get_all_operations():
        operation = found.ok()

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
        def send(case: Case, label: str = operation.label) -> None:
            _send(client, case, headers, fuzzed, label)

        send()
    return fuzzed


def _send(
    client: TestClient, case: Case, headers: Mapping[str, str], fuzzed: Fuzzed, label: str
) -> None:
    wanted = case.as_transport_kwargs(headers=dict(headers))
    request = client.build_request(
        wanted["method"],
        wanted["url"],
        params=wanted.get("params"),
        headers={**wanted.get("headers", {}), **headers},
        cookies=wanted.get("cookies"),
        json=wanted.get("json"),
        data=wanted.get("data") if isinstance(wanted.get("data"), dict) else None,
        content=wanted.get("data") if isinstance(wanted.get("data"), bytes | str) else None,
        files=wanted.get("files"),
    )
    answer = client.send(request, follow_redirects=False)
    fuzzed.statuses[label, answer.status_code] += 1
    shown = f"{label}: {answer.status_code} for {request.method} {request.url} {wanted.get('json')}"
    if answer.status_code >= 500:
        fuzzed.faults.append(shown)
    is_json = answer.headers.get("content-type", "").startswith("application/json")
    if answer.status_code >= 400 and not (is_json and "error" in answer.json()):
        fuzzed.faults.append(f"{shown}: not an error in the form of the API")
