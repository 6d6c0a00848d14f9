import { readdirSync } from 'node:fs';
import path from 'node:path';
import { workspaceRoot } from '@tds/servers';

/** The tests that are only of a system in their own process, and why. What is named `own` runs apart in `npm test`, too. */
const ofTheirOwn: Readonly<Record<string, string>> = {
  'stories/examples.int.test.ts': 'reads answers in the process that sends them',
  'stories/one-command.own.int.test.ts': 'is about npm start itself',
  'stories/lost-files.int.test.ts': 'deletes all files of a store that others share',
  'stories/status.int.test.ts': 'starts services with other settings',
  'stories/buying.int.test.ts': 'puts databases back',
  'promises/bad-month.own.int.test.ts': 'kills services of its own',
  'promises/broken-books.own.int.test.ts': 'breaks the books on purpose, of a system at rest',
  'promises/lowered-limits.int.test.ts': 'changes limits of services that it runs itself',
  'promises/one-trace.own.int.test.ts': 'sends the traces of a whole system to a collector of its own',
  'promises/restored-databases.own.int.test.ts': 'puts each database of a system back',
  'promises/searches-settle-once.own.int.test.ts': 'kills services of its own',
  'promises/what-was-asked-for.int.test.ts': 'runs services that it has changed',
  'promises/words-found.int.test.ts': 'kills services of its own',
  'security/compromised-database.int.test.ts': 'starts servers of its own',
  'security/compromised-objects.int.test.ts': 'starts servers of its own',
  'security/compromised-redis.int.test.ts': 'starts servers of its own',
  'security/compromised-service.int.test.ts': 'starts servers of its own',
  'security/no-secret-on-the-bus.own.int.test.ts': 'reads all that processes of a system leave on disks',
  'security/rotated-key-ring.int.test.ts': 'starts services with other settings',
  'security/revocation-bound.own.int.test.ts': 'takes servers away for as long as keys may be believed',
};

const because = (why: string, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [`${name}.int.test.ts`, why]));

/** What is not in a container cannot be killed by its name, and says nowhere where it tells of itself. */
const ofContainers = {
  ...because('kills servers', ['promises/limits', 'promises/ready', 'promises/server-errors-are-free.own']),
  ...because('asks services at their private addresses', ['promises/observed']),
};

/** In this order: some promises leave books behind that stories would not find in order. */
const places = ['stories', 'promises', 'security'] as const;

/** The test files for a system that runs already, and those that are left out, with the reason. */
export const suites = ({ inContainers }: { inContainers: boolean }) => {
  const leftOut = { ...ofTheirOwn, ...(inContainers ? {} : ofContainers) };
  const files = places.flatMap((place) =>
    readdirSync(path.join(workspaceRoot, 'test-e2e', place))
      .filter((name) => name.endsWith('.int.test.ts'))
      .map((name) => `${place}/${name}`),
  );
  return { run: files.filter((file) => !(file in leftOut)), leftOut };
};
