#!/bin/sh
# nats-server 2.15.1, nats.js 3.4.0: the state file of a durable consumer has its length and zeros, as a file system without a sync leaves it
# after a power cut, and the broker starts again.
#
# Guess before the run: the broker forgets such a consumer (pull request 7691 of nats-server, January 2026), or its deletion frees the name.
# Seen in 2.15.1: the consumer is "not found" (10014), also for its deletion, and nobody can create one of that name with its state in a
# file (10012), for good. One of that name with mem_storage works; after its deletion the name is refused as before.
# Seen in 2.9.10: the consumer is there as before, without what it knew.
#
# sh nats-consumer-file-of-zeros-keeps-its-name.sh: prints what it saw, and fails if that is different. NATS_SERVER names a server that
# is here already; else the one of Debian's package is unpacked. Needs node and npm.
set -eu
folder=$(mktemp -d)
trap 'kill "$(cat "$folder/pid" 2> /dev/null)" 2> /dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
if [ -z "${NATS_SERVER:-}" ]; then
  apt-get download nats-server > /dev/null 2>&1
  dpkg-deb -x nats-server_*.deb server
  NATS_SERVER=$(find "$folder/server" -name nats-server -type f | head -1)
fi
"$NATS_SERVER" --version
npm init --yes > /dev/null
npm install --silent --no-audit --no-fund @nats-io/transport-node@3.4.0 @nats-io/jetstream@3.4.0
printf 'listen: "127.0.0.1:14223"\njetstream { store_dir: "%s/data" }\n' "$folder" > nats.conf

start() {
  : > log
  "$NATS_SERVER" --config nats.conf > log 2>&1 &
  echo $! > pid
  until grep -qs "Server is ready" log; do sleep 0.1; done
}
stop() { kill "$(cat pid)"; while kill -0 "$(cat pid)" 2> /dev/null; do sleep 0.1; done; }

cat > run.cjs <<'JS'
const { connect } = require('@nats-io/transport-node');
const { jetstreamManager, jetstream } = require('@nats-io/jetstream');
const outcome = (call) => call.then(() => 'done', (error) => error.code ?? error.message);
(async () => {
  const connection = await connect({ servers: '127.0.0.1:14223' });
  const { streams, consumers } = await jetstreamManager(connection);
  const config = { durable_name: 'reader', ack_policy: 'explicit' };
  if (process.argv[2] === 'make') {
    await streams.add({ name: 'EVENTS', subjects: ['events'], storage: 'file' });
    await consumers.add('EVENTS', config);
    const js = jetstream(connection);
    await js.publish('events', 'x');
    await (await (await js.consumers.get('EVENTS', 'reader')).next()).ackAck();
  } else {
    const steps = [
      ['info', () => consumers.info('EVENTS', 'reader')],
      ['delete', () => consumers.delete('EVENTS', 'reader')],
      ['create', () => consumers.add('EVENTS', config)],
      ['create in memory', () => consumers.add('EVENTS', { ...config, mem_storage: true })],
      ['delete', () => consumers.delete('EVENTS', 'reader')],
      ['create', () => consumers.add('EVENTS', config)],
    ];
    const seen = [];
    for (const [name, call] of steps) seen.push(`${name} ${await outcome(call())}`);
    console.log(seen.join(', '));
  }
  await connection.close();
})();
JS
start
node run.cjs make
stop
file=$(find data -path '*obs/reader/o.dat')
head -c "$(wc -c < "$file")" /dev/zero > zeros
cp zeros "$file"
start
node run.cjs after | tee seen
stop
case $("$NATS_SERVER" --version) in
  *v2.9.*) expected='info done, delete done, create done, create in memory done, delete done, create done' ;;
  *) expected='info 10014, delete 10014, create 10012, create in memory done, delete done, create 10012' ;;
esac
[ "$(cat seen)" = "$expected" ] && echo 'as seen before'
