# A server over one study.  Build and run it as docs/how-to/serve-a-study.md says.
FROM python:3.12-slim-bookworm AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY src ./src
RUN python -m venv /venv && /venv/bin/pip install --no-cache-dir ".[web,postgres,sheets]"

FROM python:3.12-slim-bookworm
RUN useradd --create-home --uid 1000 assay && mkdir /study && chown assay /study
COPY --from=build /venv /venv
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 HOST=0.0.0.0 PORT=8000
USER assay
WORKDIR /home/assay
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/api/health', timeout=4)"]
ENTRYPOINT ["finassay"]
CMD ["serve", "/study"]
