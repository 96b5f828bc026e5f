#!/bin/sh
# Finds the leak of leak_server.cpp: asks the running server for two profiles, and compares what is live in them.
#
# usage: leak_server.sh SOURCE       in an empty folder, with hcct-c++, hcct-top and hcct-compare in PATH
set -eu
hcct-c++ -O1 -g "$1" -o server
mkfifo requests
HCCT_OPTIONS=metric=heap:dump=1:output=heap.bin ./server < requests > answers &
server=$!
exec 3> requests

# Requests number $1 to $2, of ten users.
ask() {
    for i in $(seq "$1" "$2"); do echo "user$((i % 10)) /article?id=$i&from=front-page" >&3; done
    while [ "$(wc -l < answers)" -lt "$2" ]; do sleep 0.05; done
}

# The server waits by now, and answers at its next request.
dump() {
    hcct-top --dump heap.bin &
    sleep 0.3
    ask "$1" "$1"
    wait $!
    cp heap.bin "$2"
}

ask 1 1000
dump 1001 first.bin
ask 1002 2000
dump 2001 second.bin
exec 3>&-
wait $server

hcct-compare --value=live --hide='std::|operator.new|^pair' first.bin second.bin
