import { expect, it } from '@jest/globals';
import { startHarness } from '@tds/kit/testing';
import { loadServices } from '@tds/local';
import { holdServices } from './held-services.ts';
import { sharedSystem } from './shared-system.ts';

/** A system of one service. */
const startSmall = async (withinMs?: number) => {
  const harness = await startHarness({ databases: { status: 'status' } });
  const load = async () => (await loadServices()).filter(({ surface }) => surface.name === 'status');
  const services = await holdServices({ status: harness.environmentOf('status') }, load, withinMs);
  const stop = async () => {
    await services.stop();
    await harness.stop();
  };
  return { ...services, database: harness.databases.status, stop };
};

it('a system that a file leaves broken fails this file and no other: the next one gets a system that works', async () => {
  const sharing = sharedSystem<Awaited<ReturnType<typeof startSmall>>>();
  const first = await sharing.join(() => startSmall(1));
  await first.database.drop();
  await first.replaceServices(['status']);
  await expect(sharing.leave()).rejects.toThrow('this file leaves the shared system broken');

  const next = await sharing.join(() => startSmall());
  expect(next).not.toBe(first);
  await next.replaceServices(['status']);
  await sharing.leave();
  expect(await sharing.join(() => startSmall())).toBe(next);
  await sharing.end();
  await sharing.end();
});
