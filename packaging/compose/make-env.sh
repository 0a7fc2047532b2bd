#!/bin/sh
# Writes .env beside compose.yaml, with a random value for each secret. An existing .env stays as it is.
set -eu
cd "$(dirname "$0")"
if [ -e .env ]; then
  echo '.env exists already; nothing was changed' >&2
  exit 1
fi
umask 077
while IFS= read -r line; do
  case "$line" in
  [A-Z]*='<random>') echo "${line%%=*}=$(od -An -tx1 -N24 /dev/urandom | tr -d ' \n')" ;;
  *) printf '%s\n' "$line" ;;
  esac
done <.env.example >.env.new
mv .env.new .env
