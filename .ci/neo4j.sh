# shellcheck shell=bash
# A real Neo4j 5.26 Community server for the graph store's contract suite, on a loopback port. To be sourced:
#   . .ci/neo4j.sh; start_neo4j; python -m pytest tests/kg; stop_neo4j
# Needs Java 17 and Maven. The programs are kept in build/neo4j; the data is thrown away.

_neo4j_root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"

# Fetch the server with Maven, once.
fetch_neo4j() {
  local programs="$_neo4j_root/build/neo4j/lib"
  [ -e "$programs/.complete" ] && return 0
  mvn -q -B -f "$_neo4j_root/.ci/neo4j/pom.xml" dependency:copy-dependencies \
    -DincludeScope=runtime -DoutputDirectory="$programs" >&2 || return 1
  touch "$programs/.complete"
}

# Run the server of folder $1 on loopback port $2 in the foreground, in this shell's place.
run_neo4j() {
  mkdir -p "$1/conf" "$1/data" "$1/logs"
  cat > "$1/conf/neo4j.conf" <<CONF
dbms.security.auth_enabled=false
dbms.usage_report.enabled=false
server.default_listen_address=127.0.0.1
server.bolt.listen_address=127.0.0.1:$2
server.http.enabled=false
server.https.enabled=false
server.memory.pagecache.size=64m
CONF
  exec java -Xmx768m -XX:+UseSerialGC -cp "$_neo4j_root/build/neo4j/lib/*" \
    --add-opens=java.base/java.nio=ALL-UNNAMED --add-opens=java.base/java.io=ALL-UNNAMED \
    --add-opens=java.base/sun.nio.ch=ALL-UNNAMED --add-opens=java.base/java.util.concurrent=ALL-UNNAMED \
    org.neo4j.server.CommunityEntryPoint --home-dir="$1" --config-dir="$1/conf"
}

# Start a throw-away server and wait until it answers; exports NEO4J_TEST_URI.
start_neo4j() {
  fetch_neo4j || { echo "neo4j: Maven could not fetch the server" >&2; return 1; }
  local port
  port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  NEO4J_TEST_HOME=$(mktemp -d)
  (run_neo4j "$NEO4J_TEST_HOME" "$port" > "$NEO4J_TEST_HOME/output" 2>&1) &
  NEO4J_TEST_PID=$!
  _await_neo4j "$port" || { tail -20 "$NEO4J_TEST_HOME/output" >&2; stop_neo4j; return 1; }
  export NEO4J_TEST_URI="bolt://127.0.0.1:$port"
}

_await_neo4j() {
  local tries
  for tries in $(seq 1 240); do
    kill -0 "$NEO4J_TEST_PID" 2>/dev/null || return 1
    (echo > "/dev/tcp/127.0.0.1/$1") 2>/dev/null && return 0
    sleep 0.5
  done
  return 1
}

# Stop it and remove its data.
stop_neo4j() {
  [ -n "${NEO4J_TEST_PID:-}" ] || return 0
  kill "$NEO4J_TEST_PID" 2>/dev/null || true
  wait "$NEO4J_TEST_PID" 2>/dev/null || true
  rm -rf "${NEO4J_TEST_HOME:?}"
  unset NEO4J_TEST_URI NEO4J_TEST_HOME NEO4J_TEST_PID
}
