import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { endingSignal } from '@tds/local';
import { freePort, localDir, workspaceRoot } from '@tds/servers';
import { command, Option } from '@tds/servers/command';
import { whatIsMissing } from './host.ts';
import { cloneInto, makeMachine } from './machine.ts';
import { enter, type Person, people, removeMachine } from './rooms.ts';
import { startsAndStops } from './start-and-stop.ts';

const bareMachine = command(
  'npm run test:bare-machine --',
  'Does what a newcomer does, on a Debian that has git and Node and nothing else, with the last commit: npm start, Ctrl-C, npm test.',
)
  .argument('[patterns...]', 'which tests, as with npm test')
  .addOption(new Option('--as <name>', 'one of them only').choices(people.map(({ name }) => name)))
  .option('--no-tests', 'only npm start')
  .option('--suite <name>', 'of Debian', 'bookworm')
  .option('--mirror <url>', 'where its packages come from; where debootstrap looks if nothing is said')
  .parse();
const values = bareMachine.opts();
const [patterns] = bareMachine.processedArgs;

const say = (line: string): void => console.error(line);

const missing = whatIsMissing();
if (missing) {
  say(missing);
  process.exit(1);
}
const wanted = people.filter(({ name }) => !values.as || name === values.as);

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
  if (!values.tests) return true;
  const tests = enter({ root, person, folder, command: ['npm', 'test', '--', ...patterns] });
  tests.stdout.pipe(process.stdout, { end: false });
  tests.stderr.pipe(process.stderr, { end: false });
  const code = await new Promise((resolve) => tests.once('close', resolve));
  say(`${code === 0 ? '✓' : '✗'} as ${person.name}: npm test`);
  return code === 0;
};

try {
  say('A bare Debian is being made: some minutes');
  makeMachine(root, values);
  let good = true;
  for (const person of wanted) good = (await asNewcomer(person)) && good;
  process.exitCode = good ? 0 : 1;
} finally {
  removeMachine(root);
}
process.exit();
