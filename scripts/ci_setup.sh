#!/bin/sh
# Install the programs that the browser and PostgreSQL tests drive, where they are missing.
set -eu

wanted=""
command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1 ||
  command -v google-chrome >/dev/null 2>&1 || wanted="$wanted chromium"
fc-list 2>/dev/null | grep -qi dejavu || wanted="$wanted fonts-dejavu-core fontconfig"
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || wanted="$wanted postgresql"

if [ -z "$wanted" ]; then
  echo "Chromium, fonts and PostgreSQL are here."
  exit 0
fi
if [ "$(id -u)" != 0 ]; then
  echo "missing:$wanted; run \`make ci-setup\` as root, or install them yourself" >&2
  exit 1
fi
if ! command -v apt-get >/dev/null 2>&1; then
  echo "missing:$wanted; this system has no apt-get, install them with its own tool" >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
# shellcheck disable=SC2086  # the list is meant to split
apt-get install -y -qq --no-install-recommends $wanted
