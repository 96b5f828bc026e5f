#!/bin/sh
# push.sh pyroscope|parca URL FILE...: sends profiles to a store, as pprof. Each stands at the time of its file, with its host.
#
# LABELS=region=eu,tier=web adds labels. HEADERS=FILE adds the headers in a file, such as Authorization, which are then not in the list of processes.
set -eu
store=$1 url=${2%/}
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

post() { curl --silent --show-error --fail-with-body --noproxy '*' --max-time 60 ${HEADERS:+--header "@$HEADERS"} "$@"; }

for file; do
    hcct-decode --format=pprof -o "$work/pprof" "$file"
    name=$(hcct-decode --format=json "$file" | sed -n 's/^"program": "\(.*\)",$/\1/p;/^"build"/q')
    name=${name##*/} labels=host=$(uname -n)${LABELS:+,$LABELS} until=$(stat -c %Y "$file")
    case $store in
    pyroscope)
        echo '{"calls": {"units": "count", "display-name": "calls"}, "error": {"units": "count", "display-name": "error"}}' > "$work/types"
        query=$(printf '%s' "$name{$labels}" | od -An -v -tx1 | tr -d '\n' | tr ' ' %)
        post --form "profile=@$work/pprof" --form "sample_type_config=@$work/types" "$url/ingest?name=$query&from=$((until - 1))&until=$until&spyName=hcct"
        ;;
    parca)
        {
            printf '{"normalized": true, "series": [{"labels": {"labels": [{"name": "__name__", "value": "hcct"}, {"name": "job", "value": "%s"}' "$name"
            echo "$labels" | tr , '\n' | sed 's/\([^=]*\)=\(.*\)/, {"name": "\1", "value": "\2"}/'
            printf ']}, "samples": [{"raw_profile": "%s"}]}]}' "$(base64 -w 0 "$work/pprof")"
        } > "$work/json"
        post --header 'Content-Type: application/json' --data-binary "@$work/json" "$url/profiles/writeraw"
        ;;
    esac
done
