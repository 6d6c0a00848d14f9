import { readdirSync } from 'node:fs';
import path from 'node:path';
import { workspaceRoot } from '@tds/servers';

/** The tests that are only of a system of their own, and why. */
const ofTheirOwn: Readonly<Record<string, string>> = {
  'stories/one-command.int.test.ts': 'is about npm start itself',
  'stories/lost-files.int.test.ts': 'deletes all files of a store that others share',
  'stories/webhooks.int.test.ts':
    'its receiver is on the loopback of the machine, which is none of a container',
  'stories/buying.int.test.ts': 'puts databases back',
  'promises/broken-books.int.test.ts': 'breaks the books on purpose',
  'promises/one-trace.int.test.ts': 'sends traces to a collector of its own',
  'promises/restored-databases.int.test.ts': 'puts databases back',
  'promises/searches-settle-once.int.test.ts': 'runs services that it has changed',
  'promises/what-was-asked-for.int.test.ts': 'runs services that it has changed',
  'security/compromised-database.int.test.ts': 'starts servers of its own',
  'security/compromised-objects.int.test.ts': 'starts servers of its own',
  'security/compromised-redis.int.test.ts': 'starts servers of its own',
  'security/compromised-service.int.test.ts': 'starts servers of its own',
  'security/no-secret-on-the-bus.int.test.ts': 'starts servers of its own',
  'security/rotated-key-ring.int.test.ts': 'starts services with other settings',
  'security/revocation-bound.int.test.ts': 'starts a second system beside the first',
};

/** These kill servers, and start them again: only containers can be killed by their names. */
const killing = ['promises/limits', 'promises/ready', 'promises/server-errors-are-free'].map(
  (name) => `${name}.int.test.ts`,
);
const ofContainers = Object.fromEntries(killing.map((file) => [file, 'kills servers']));

const places = ['stories', 'promises', 'security'] as const;

/** The test files for a system that runs already, and those that are left out, with the reason. */
export const suites = ({ canKill }: { canKill: boolean }) => {
  const leftOut = { ...ofTheirOwn, ...(canKill ? {} : ofContainers) };
  const files = places.flatMap((place) =>
    readdirSync(path.join(workspaceRoot, 'test-e2e', place))
      .filter((name) => name.endsWith('.int.test.ts'))
      .map((name) => `${place}/${name}`),
  );
  return { run: files.filter((file) => !(file in leftOut)), leftOut };
};
