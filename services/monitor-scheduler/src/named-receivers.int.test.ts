import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { codeOf } from '@tds/test-kit';
import { setUpMonitors } from './test-support/set-up-monitors.ts';
import { RECEIVER } from './test-support/start-monitors.ts';

const system = setUpMonitors();

describe('the receivers that a monitor names', () => {
  it('are in its answers, its events and its jobs, and change alone', async () => {
    const watched = await system.fetching({ receivers: [RECEIVER] });
    expect(await watched.get()).toMatchObject({ receivers: [RECEIVER] });
    await watched.change({ words: ['harbour'] });
    expect(await watched.get()).toMatchObject({ receivers: [RECEIVER], words: ['harbour'] });
    const first = system.monitors.platform.upload(watched.channel, 1);
    await system.check();
    await system.fetches(watched, first);
    await system.emits(watched, first);
    expect(watched.events()).toMatchObject([{ receiverIds: [RECEIVER] }]);
    expect(watched.jobs()).toMatchObject([{ receiverIds: [RECEIVER] }]);
    expect((await watched.change({ receivers: [] })).monitor).toMatchObject({
      receivers: [],
      words: ['harbour'],
    });
  });

  it('are refused if the account has them not, and nothing is watched or changed', async () => {
    const [accountId, others] = [randomUUID(), { receivers: [RECEIVER, randomUUID()] }];
    expect(await codeOf(system.monitors.watch({ accountId, ...others }))).toBe('receiver_not_found');
    expect((await system.monitors.list(accountId)).total).toBe(0);
    const watched = await system.monitors.watch({ receivers: [RECEIVER] });
    expect(await codeOf(watched.change({ ...others, mail: 'now' }))).toBe('receiver_not_found');
    expect(await watched.get()).toMatchObject({ receivers: [RECEIVER], mail: 'none' });
  });
});
