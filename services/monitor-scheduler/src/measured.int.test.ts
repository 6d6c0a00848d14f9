import { expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import { setUpMonitors } from './test-support/set-up-monitors.ts';

const system = setUpMonitors();

const scrape = () => system.monitors.harness.scrape('monitor-scheduler');

it.each([
  ['a due source that no process reads', 'feeds', 'feeds'],
  ['a due action that no process runs', 'actions', 'actions'],
  ['a due turn that no process runs', 'monitors', 'turns'],
] as const)('metrics show %s, its age, and its end', async (_, table, what) => {
  await system.monitors.watch();
  // The service may claim the row in between: make it overdue again.
  await eventually(async () => {
    await system.monitors.rows.makeDue(table, {}, '-10 minutes');
    const metric = await scrape();
    expect(metric('tds_backlog', { what })).toBeGreaterThanOrEqual(1);
    expect(metric('tds_backlog_oldest_seconds', { what })).toBeGreaterThanOrEqual(600);
  });
  await system.monitors.pass('0 seconds');
  await eventually(async () => expect((await scrape())('tds_backlog', { what })).toBe(0));
});
