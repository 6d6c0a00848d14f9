import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { endingSignal } from '@tds/local';
import { freePort, localDir, workspaceRoot } from '@tds/servers';
import { whatIsMissing } from './host.ts';
import { cloneInto, makeMachine } from './machine.ts';
import { enter, type Person, people, removeMachine } from './rooms.ts';
import { startsAndStops } from './start-and-stop.ts';

/**
 * Does what a newcomer does, on a Debian that has git and Node and nothing else, with the last commit: `npm start`,
 * Ctrl-C, `npm test`; as an ordinary user and as root. Patterns choose tests, as with npm test.
 */

const { values, positionals: patterns } = parseArgs({
  allowPositionals: true,
  options: {
    /** One of the two only. */
    as: { type: 'string' },
    'no-tests': { type: 'boolean', default: false },
    suite: { type: 'string', default: 'bookworm' },
    mirror: { type: 'string', default: 'http://deb.debian.org/debian' },
  },
});

const say = (line: string): void => console.error(line);

const missing = whatIsMissing();
if (missing) {
  say(missing);
  process.exit(1);
}
const wanted = people.filter(({ name }) => !values.as || name === values.as);
if (wanted.length === 0) {
  say(`--as takes one of ${people.map(({ name }) => name).join(', ')}`);
  process.exit(1);
}

const root = path.join(localDir, `bare-machine-${process.pid}`);
mkdirSync(root, { recursive: true });
endingSignal().addEventListener('abort', () => {
  removeMachine(root);
  process.exit(1);
});

const asNewcomer = async (person: Person): Promise<boolean> => {
  const folder = cloneInto(root, person, workspaceRoot);
  const port = await freePort();
  for (const turn of ['first', 'second']) {
    const fault = await startsAndStops({ root, person, folder, port });
    say(fault ?? `✓ as ${person.name}: the ${turn} npm start`);
    if (fault) return false;
  }
  if (values['no-tests']) return true;
  const tests = enter({ root, person, folder, command: ['npm', 'test', '--', ...patterns] });
  tests.stdout.pipe(process.stdout, { end: false });
  tests.stderr.pipe(process.stderr, { end: false });
  const code = await new Promise((resolve) => tests.once('close', resolve));
  say(`${code === 0 ? '✓' : '✗'} as ${person.name}: npm test`);
  return code === 0;
};

try {
  say('A bare Debian is being made: some minutes');
  makeMachine(root, { suite: values.suite, mirror: values.mirror });
  let good = true;
  for (const person of wanted) good = (await asNewcomer(person)) && good;
  process.exitCode = good ? 0 : 1;
} finally {
  removeMachine(root);
}
process.exit();
