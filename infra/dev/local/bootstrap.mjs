// The way from a fresh clone to a running command: plain JavaScript for any Node >= 20, without a dependency.
//   ./tds <command> [arguments]     runs infra/dev/local/src/<command>.ts
//   ./tds <folder>/<file>.ts ...    runs that file
//   ./tds renamed <script>          names the npm script that has replaced another one
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { environment } from './bootstrap/environment.mjs';
import { ensureInstalled } from './bootstrap/install.mjs';
import { node24 } from './bootstrap/node.mjs';
import { inRoot, preparePlaces } from './bootstrap/places.mjs';

const fail = (error) => {
  process.stderr.write(`\n${error.message}\n`);
  process.exit(1);
};

const ending = new AbortController();
let child;

/** A signal to this process alone is meant for the command; a terminal's Ctrl-C reaches the command twice. */
const end = (signal) => {
  if (child) child.kill(signal);
  else ending.abort();
};

const watchForTheEnd = () => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(signal));
  // npm passes no signal on when it is killed itself: nothing waits for this process any more.
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    end('SIGTERM');
  }, 500);
  watch.unref();
};

/** Runs the command in this process's place. It can tell that this process has died by its channel being cut. */
const runCommand = (entry, args) => {
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc'];
  child = spawn(node24(), [entry, ...args], { cwd: inRoot(), env: environment(), stdio });
  child.once('error', fail);
  child.once('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
};

const [command = '', ...args] = process.argv.slice(2);
if (command === 'renamed') {
  process.stderr.write(`This command has a new name: npm run ${args[0]}\n`);
  process.exit(2);
}
const entry = command.endsWith('.ts') ? inRoot(command) : inRoot('infra/dev/local/src', `${command}.ts`);
if (!/^[a-z0-9/-]+(\.ts)?$/.test(command) || !existsSync(entry))
  fail(new Error(`There is no command "${command}"`));
watchForTheEnd();
try {
  preparePlaces();
  await ensureInstalled(command, ending.signal);
} catch (error) {
  if (!ending.signal.aborted) fail(error);
}
if (ending.signal.aborted) {
  process.stderr.write('Stopped\n');
  process.exit(0);
}
runCommand(entry, args);
