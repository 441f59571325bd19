#!/bin/sh
# Install PostgreSQL where it is missing, start a throw-away server on a loopback port, and print its URL.
#   POSTGRESQL_TEST_URL=$(.ci/postgresql.sh start FOLDER)     ...     .ci/postgresql.sh stop FOLDER
# FOLDER must not exist yet; it holds the data, and `stop` removes it.
set -eu
action=$1
folder=$2

server_programs() {
    for place in /usr/lib/postgresql/*/bin; do
        [ -x "$place/initdb" ] && found=$place
    done
    [ -n "${found:-}" ] && echo "$found"
}

as_server_user() { # the server refuses to run as root
    if [ "$(id -u)" = 0 ]; then
        # -c takes one string, so the words are quoted again
        su postgres -s /bin/sh -c "$*"
    else
        sh -c "$*"
    fi
}

case $action in
start)
    if ! programs=$(server_programs); then
        (apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql) >&2
        programs=$(server_programs)
    fi
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    mkdir -p "$folder"
    [ "$(id -u)" = 0 ] && chown postgres "$folder"
    as_server_user "cd '$folder' && '$programs/initdb' -D '$folder/data' -U anamnesis -A trust -E UTF8 --locale=C.UTF-8" >&2
    as_server_user "cd '$folder' && '$programs/pg_ctl' -D '$folder/data' -l '$folder/log' -w -t 60 \
        -o \"-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off\" start" >&2
    echo "postgresql+psycopg://anamnesis@127.0.0.1:$port/postgres"
    ;;
stop)
    programs=$(server_programs)
    as_server_user "cd '$folder' && '$programs/pg_ctl' -D '$folder/data' -m immediate stop" >&2
    rm -rf "$folder"
    ;;
*)
    echo "usage: postgresql.sh start|stop FOLDER" >&2
    exit 2
    ;;
esac
