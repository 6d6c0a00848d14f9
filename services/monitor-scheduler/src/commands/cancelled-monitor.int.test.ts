import { describe, expect, it } from '@jest/globals';
import { setUpMonitors } from '../test-support/set-up-monitors.ts';

const system = setUpMonitors();

describe('a cancelled monitor', () => {
  it('stops, and its source is read no more without other watchers', async () => {
    const { channel, cancel, get, emitted } = await system.monitors.watch();
    expect((await cancel()).monitor.status).toBe('cancelled');
    system.monitors.platform.upload(channel);
    const asked = system.monitors.platform.asksFor(`feed ${channel}`);
    await system.monitors.pass('1 day');
    expect(system.monitors.platform.asksFor(`feed ${channel}`)).toBe(asked);
    expect(emitted()).toEqual([]);
    expect((await cancel()).monitor).toEqual(await get());
  });

  it('keeps the number of its new videos when its feed is deleted', async () => {
    const { channel, cancel, get } = await system.monitors.watch();
    system.monitors.platform.upload(channel, 2);
    await system.monitors.pass('1 day');
    const { monitor } = await cancel();
    expect(monitor.new_videos).toBe(2);
    await system.monitors.query(
      `UPDATE feeds SET checked_at = now() - interval '2 hours' WHERE source_id = $1`,
      [channel],
    );
    await system.monitors.run('purgeFeeds');
    expect(await system.monitors.query('SELECT FROM feeds WHERE source_id = $1', [channel])).toEqual([]);
    expect(await get()).toEqual(monitor);
  });
});
