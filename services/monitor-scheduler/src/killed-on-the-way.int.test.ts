import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { channelAt, type PlatformSimulator, startPlatformSimulator } from '@tds/platform-simulator';
import { doomedProcesses } from '@tds/test-kit';
import { batchesOf } from './test-support/set-up-monitors.ts';
import { startMonitors, type TestMonitors } from './test-support/start-monitors.ts';

const program = path.resolve(import.meta.dirname, 'main.ts');
let monitors: TestMonitors;
let simulator: PlatformSimulator;
const doomed = doomedProcesses(program, () => monitors.environment);
beforeAll(async () => {
  simulator = await startPlatformSimulator({});
  monitors = await startMonitors({ PLATFORM_ORIGIN: simulator.origin });
});
afterAll(async () => {
  doomed.stop();
  await monitors?.stop();
  await simulator?.close();
});

const check = () => monitors.pass('20 minutes');
/** Oldest first, as they are told and fetched. */
const upload = (to: string, count: number) =>
  Array.from({ length: count }, () => simulator.upload({ to })).flat();

/** As if the leases of the process that died had run out. */
const endLeases = async () => {
  for (const table of ['feeds', 'monitors'])
    await monitors.query(`UPDATE ${table} SET lease_until = now() WHERE lease_until > now()`);
};

const watch = async (index: number) => {
  const channel = channelAt(index, 1)?.id ?? '';
  return { channel, watched: await monitors.watch({ autoFetch: true, source: { channel } }) };
};

describe('a process that is killed', () => {
  it.each([
    ['news-recorded', 1],
    ['news-told', 2],
    ['batch-fixed', 3],
    ['job-begun', 4],
  ])(
    'at %s has told each video once, and begun one job of them, when another has gone on',
    async (crashAt, index) => {
      const { channel, watched } = await watch(index);
      await monitors.stopService();
      const ids = upload(channel, 2);
      await doomed.dieAt(crashAt, () =>
        monitors.query('UPDATE feeds SET due_at = now() WHERE source_id = $1', [channel]),
      );
      await endLeases();
      await monitors.startService();
      await check();
      // What comes after them is told after them: nothing of them can still be on its way.
      const late = upload(channel, 1);
      await check();
      await monitors.eventually(() => expect(watched.told()).toEqual([...ids, ...late]));
      await monitors.eventually(() => expect(batchesOf(watched)).toEqual([ids, late]));
    },
  );
});
