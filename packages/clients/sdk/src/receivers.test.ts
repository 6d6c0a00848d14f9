import { expect, it } from '@jest/globals';
import { fakeService, json } from './test-support/fake-service.ts';

it('a receiver is created, listed, changed, tested, replayed and deleted', async () => {
  const receiver = { id: 'r/1', name: 'Newsroom' };
  const delivery = { id: 'd' };
  const { client, sent } = fakeService([
    json({ ok: true, receiver, receiver_secret: 'whsec_x' }, 201),
    json({ ok: true, receivers: [receiver] }),
    json({ ok: true, receiver }),
    json({ ok: true, receiver }),
    json({ ok: true, delivery }, 202),
    json({ ok: true, replayed: 2, is_complete: true }, 202),
    json({ ok: true, deleted: true }),
  ]);
  const body = { name: 'Newsroom', form: 'signed', url: 'https://a/hook', events: ['job.completed'] } as const;
  expect(await client.receivers.create({ ...body, events: [...body.events] })).toMatchObject({
    receiver_secret: 'whsec_x',
  });
  expect(await client.receivers.list()).toEqual([receiver]);
  expect(await client.receivers.get('r/1')).toEqual(receiver);
  await client.receivers.update('r/1', { rotate_secret: true });
  expect(await client.receivers.test('r/1')).toEqual(delivery);
  expect(await client.receivers.replay('r/1', new Date('2026-01-15T12:00:00Z'))).toMatchObject({ replayed: 2 });
  expect(await client.receivers.delete('r/1')).toBeUndefined();
  expect(sent.map((one) => [one.method, one.url.pathname, one.body])).toEqual([
    ['POST', '/v1/receivers', body],
    ['GET', '/v1/receivers', undefined],
    ['GET', '/v1/receivers/r%2F1', undefined],
    ['PATCH', '/v1/receivers/r%2F1', { rotate_secret: true }],
    ['POST', '/v1/receivers/r%2F1/test', undefined],
    ['POST', '/v1/receivers/r%2F1/replay', { since: '2026-01-15T12:00:00.000Z' }],
    ['DELETE', '/v1/receivers/r%2F1', undefined],
  ]);
});
