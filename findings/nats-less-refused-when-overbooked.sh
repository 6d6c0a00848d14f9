#!/bin/sh
# nats-server 2.15.1 and 2.9.10, nats.js 3.4.0: max_file_store is lowered below what the streams reserve, and the broker restarted.
#
# Expected: all streams are recovered, and less max_bytes is taken, because it frees what is reserved.
# Seen in 2.15.1: all are recovered and take messages, and every change is refused with 10047, also one to less and one of max_age
# alone. The way out is the old max_file_store, smaller streams, and then the new one.
# Seen in 2.9.10: streams are recovered until one does not fit, which is "not found" then; with the old max_file_store it is back, with
# its messages.
#
# sh nats-less-refused-when-overbooked.sh: prints what it saw, and fails if that is different. NATS_SERVER names a server that
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

start() { # $1: max_file_store
  printf 'listen: "127.0.0.1:14222"\njetstream { store_dir: "%s/data", max_file_store: %s }\n' "$folder" "$1" > nats.conf
  : > log
  "$NATS_SERVER" --config nats.conf > log 2>&1 &
  echo $! > pid
  until grep -qs "Server is ready" log; do sleep 0.1; done
}
stop() { kill "$(cat pid)"; while kill -0 "$(cat pid)" 2> /dev/null; do sleep 0.1; done; }

cat > run.cjs <<'JS'
const { connect } = require('@nats-io/transport-node');
const { jetstreamManager, jetstream } = require('@nats-io/jetstream');
const MIB = 1024 ** 2;
const code = (change) => change.then(() => 'taken', (error) => error.code ?? error.message);
(async () => {
  const connection = await connect({ servers: '127.0.0.1:14222' });
  const { streams } = await jetstreamManager(connection);
  const step = process.argv[2];
  if (step === 'make')
    for (const name of ['ONE', 'TWO'])
      await streams.add({ name, subjects: [name], storage: 'file', max_bytes: 400 * MIB, discard: 'new' });
  if (step === 'back') console.log(`back: ${(await streams.info('TWO')).state.messages}`);
  const less = await code(streams.update('ONE', { max_bytes: 10 * MIB }));
  const younger = await code(streams.update('TWO', { max_age: 3_600e9 }));
  const published = await code(jetstream(connection).publish('TWO', 'x'));
  if (step === 'change') console.log(`less: ${less}, younger: ${younger}, a message: ${published}`);
  if (step === 'make') await streams.update('ONE', { max_bytes: 400 * MIB });
  await connection.close();
})();
JS
start 1073741824 # holds both: 800 MiB
node run.cjs make
stop
start 536870912 # 512 MiB: one would fit
node run.cjs change | tee seen
stop
start 1073741824
node run.cjs back | tee -a seen
stop
case $("$NATS_SERVER" --version) in
  *v2.9.*) expected='less: taken, younger: 10059, a message: jetstream is not enabled back: 1' ;;
  *) expected='less: 10047, younger: 10047, a message: taken back: 2' ;;
esac
[ "$(tr '\n' ' ' < seen)" = "$expected " ] && echo 'as seen before'
