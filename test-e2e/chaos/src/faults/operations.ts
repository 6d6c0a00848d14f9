import { stat } from 'node:fs/promises';
import path from 'node:path';
import { storedServiceNames } from '@tds/local';
import { sleep } from '#support';
import { type Harness, processNamed } from '../harness.ts';
import type { Blow, Fault } from './fault.ts';
import { roll } from './processes.ts';

const MIB = 1_024 * 1_024;
const READY_WITHIN_MS = 120_000;

/** Customers go on between the backup and the restore, and lose what they did: but for stops and payments. */
const restoreInstallation = async (
  harness: Harness,
  { holdMs }: { readonly holdMs: number },
): Promise<Blow> => {
  const { system, history, say } = harness;
  if (!system.operate) throw new Error('only an installation is restored from a backup');
  await sleep(holdMs);
  const from = history.now();
  await system.operate('Back up');
  const backupMs = history.now() - from;
  const { size } = await stat(path.join(system.dir, 'backup-postgres.tar.gz'));
  await sleep(holdMs);
  const at = history.now();
  for (const service of storedServiceNames) harness.restores.set(service, [at]);
  await system.operate('Restore');
  for (const process of system.processes) await process.untilReady(READY_WITHIN_MS);
  const until = history.now();
  harness.lost = { from, until };
  say(
    `backup: ${(size / MIB).toFixed(1)} MiB in ${backupMs} ms; restore: ${until - at} ms until all are ready`,
  );
  return { struckAt: until };
};

/** By hand only: what follows a restore is held against other promises. */
export const installationFault: Fault = {
  ...{ id: 'R30', name: 'restore-installation', kills: 0, holdMs: 90_000, quickHoldMs: 0 },
  does: 'all databases go back to a backup, by the commands of docs/operations.md',
  cachedReads: false,
  forgets: true,
  needs: 'everything',
  targets: ['all'],
  hits: 0,
  run: restoreInstallation,
};

/** Its work goes to the other instance in order, and comes back. */
const stayAway = async (
  harness: Harness,
  { target, holdMs }: { readonly target: string; readonly holdMs: number },
): Promise<Blow> => {
  const { stop, start } = processNamed(harness, target);
  if (!stop || !start) throw new Error('only a container is stopped for a while');
  await stop();
  await sleep(holdMs);
  await start();
  return {};
};

export const scaleDown: Fault = {
  ...{ id: 'R27', name: 'scale-down', kills: 0, holdMs: 15_000, quickHoldMs: 0 },
  does: 'one of two instances stops in order while jobs run, stays away, and returns',
  cachedReads: true,
  needs: 'everything',
  targets: storedServiceNames.map((name) => `${name}-2`),
  hits: 5,
  run: stayAway,
};

/** To this release and back to the older one; each time both serve side by side for a while. */
const upgrade = async (harness: Harness, { holdMs }: { readonly holdMs: number }): Promise<Blow> => {
  const { system, say } = harness;
  if (!system.release) throw new Error('name the folder of an older release: --from');
  const [first, second] = ['1', '2'].map((number) =>
    system.processes.filter(({ name }) => name.endsWith(number)),
  );
  for (const release of ['this', 'older'] as const) {
    await system.release(release);
    await roll(second ?? []);
    await sleep(holdMs);
    await roll(first ?? []);
    await sleep(holdMs);
    say(`  all are of ${release} release`);
  }
  return {};
};

export const upgradeFault: Fault = {
  ...{ id: 'R27', name: 'upgrade', kills: 0, holdMs: 20_000, quickHoldMs: 0 },
  does: 'from an older release to this one and back, one process of each service after the other',
  cachedReads: false,
  forgets: true,
  needs: 'everything',
  targets: ['all'],
  hits: 0,
  run: upgrade,
};
