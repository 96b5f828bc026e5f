#!/bin/sh
# apt-cache, apt-get, dpkg-query and sudo of a distribution that has nothing installed, and lacks the packages $LACKS.
case ${0##*/} in
sudo) exec "$@" ;;
dpkg-query) exit 1 ;;
apt-get) echo "$@" >>"$LOG" ;;
apt-cache)
    for pattern in $LACKS; do
        echo "$2" | grep -qx "$pattern" && exit 100
    done
    exit 0
    ;;
esac
