import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import { startDispatcher, type TestDispatcher } from './test-support/start-dispatcher.ts';

let service: TestDispatcher;
beforeAll(async () => {
  service = await startDispatcher();
});
afterAll(() => service.stop());

describe('words that were said', () => {
  it('are one signed event with the query, the sentence and its second, also if they are found again', async () => {
    const { accountId, path } = await service.newAccount();
    const [id, monitorId] = [randomUUID(), randomUUID().replaceAll('-', '')];
    for (const _ of [1, 2]) await service.emitWords({ id }, { accountId, monitorId });
    await service.emitWords({ query: 'other' }, { accountId, monitorId });
    await eventually(() => expect(service.receiver.received(path)).toHaveLength(2));
    const received = service.receiver.received(path);
    expect(received.every(({ isVerified }) => isVerified)).toBe(true);
    const { deliveries, total } = await service.list(accountId);
    expect(total).toBe(2);
    const { body } = await service.get(accountId, id);
    expect(deliveries).toContainEqual(expect.objectContaining({ id, event: 'monitor.words_found' }));
    expect(JSON.parse(body)).toMatchObject({
      id,
      type: 'monitor.words_found',
      data: {
        ...{
          monitor_id: monitorId,
          match_id: id,
          channel: null,
          playlist: 'PL1',
          title: 'A playlist',
          query: 'harbour',
        },
        ...{
          language: 'en',
          video: { video_id: 'dQw4w9WgXcQ' },
          passages: [{ start: 61.5, text: 'The harbour.' }],
        },
      },
    });
  });

  it('go to the URL of the monitor, unless the key that gave it was revoked', async () => {
    const { accountId, path } = await service.newAccount();
    const own = `${path}/own`;
    const [webhookKeyId, revoked] = [randomUUID(), randomUUID()];
    service.revoke(revoked);
    const webhookUrl = service.receiver.hookUrl + own;
    await service.emitWords({}, { accountId, webhookUrl, webhookKeyId: revoked });
    await service.emitWords({}, { accountId, webhookUrl, webhookKeyId });
    await eventually(() => expect(service.receiver.received(own)).toHaveLength(1));
    expect(service.receiver.received(path)).toEqual([]);
  });

  it('are nothing to an account without a webhook', async () => {
    const accountId = randomUUID();
    await service.emitWords({}, { accountId });
    const later = await service.newAccount();
    await service.emitWords({}, { accountId: later.accountId });
    await eventually(() => expect(service.receiver.received(later.path)).toHaveLength(1));
    expect((await service.list(accountId)).total).toBe(0);
  });
});
