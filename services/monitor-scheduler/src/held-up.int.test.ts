import { describe, expect, it } from '@jest/globals';
import { actionQueue, monitorQueue } from './store/monitor-turns.ts';
import { setUpMonitors, type WatchedMonitor } from './test-support/set-up-monitors.ts';

const system = setUpMonitors();

/** Makes the feed due for the service's own schedule. */
const makeDue = ({ channel }: WatchedMonitor) =>
  system.monitors.rows.makeDue('feeds', { where: 'source_id = $1', values: [channel] });
const publish = async (watched: WatchedMonitor): Promise<string[]> => {
  const ids = system.monitors.platform.upload(watched.channel);
  await makeDue(watched);
  return ids;
};

describe('the new videos of an account', () => {
  it('are emitted while the source of another account hangs', async () => {
    const [slow, other] = [await system.monitors.watch(), await system.monitors.watch()];
    const release = system.monitors.platform.hold(slow.channel);
    const reads = system.monitors.platform.asksFor(`feed ${slow.channel}`);
    const late = await publish(slow);
    await system.monitors.eventually(() =>
      expect(system.monitors.platform.asksFor(`feed ${slow.channel}`)).toBe(reads + 1),
    );
    await system.emits(other, await publish(other));
    expect(slow.emitted()).toEqual([]);
    release();
    await system.emits(slow, late);
  });

  it('are emitted while jobs of another account, and its own, get no answer', async () => {
    const [slow, other] = [await system.fetching(), await system.fetching()];
    const release = system.monitors.holdJobs();
    const asked = system.monitors.orchestrator.requests.length;
    const late = await publish(slow);
    await system.monitors.eventually(() =>
      expect(system.monitors.orchestrator.requests.length).toBeGreaterThan(asked),
    );
    const ids = await publish(other);
    await system.emits(other, ids);
    expect([slow.jobs(), other.jobs()]).toEqual([[], []]);
    release();
    await system.monitors.pass('0 seconds');
    await system.fetches(slow, late);
    await system.fetches(other, ids);
  });
});

describe('a lost lease', () => {
  it('of a source: its findings are not saved', async () => {
    const watched = await system.monitors.watch();
    const release = system.monitors.platform.hold(watched.channel);
    const reads = system.monitors.platform.asksFor(`feed ${watched.channel}`);
    const ids = await publish(watched);
    await system.monitors.eventually(() =>
      expect(system.monitors.platform.asksFor(`feed ${watched.channel}`)).toBe(reads + 1),
    );
    const feed = { where: 'source_id = $1', values: [watched.channel] };
    await system.monitors.rows.loseLeases('feeds', feed, '1 hour');
    release();
    // It finishes its current work.
    await system.monitors.stopService();
    await system.monitors.startService();
    const found = 'SELECT last_number AS number FROM feeds WHERE source_id = $1';
    expect(await system.monitors.query(found, [watched.channel])).toEqual([{ number: 0 }]);
    await system.monitors.rows.loseLeases('feeds', feed);
    await system.check();
    await system.emits(watched, ids);
  });

  it.each([
    ['turn', 'monitors', monitorQueue],
    ['action', 'actions', actionQueue],
  ] as const)('of the %s of a cancelled monitor is not saved in %s', async (_what, table, rows) => {
    const watched = await system.monitors.watch();
    const { db } = system.monitors.kit();
    const id = `replace(id::text, '-', '') = '${watched.id}'`;
    const claimed = await system.monitors.eventually(async () => {
      await system.monitors.rows.makeDue(table, { where: id }, '-5 years');
      const [first] = await rows.claim(db, 1);
      expect(first?.id.replaceAll('-', '')).toBe(watched.id);
      return first!;
    });
    await watched.cancel();
    expect(await rows.save(db, [{ ...claimed, nextInMs: 0, changes: {} }])).toEqual([]);
  });
});
