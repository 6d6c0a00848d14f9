import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { webhookDispatcher } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { codeOf, eventually } from '@tds/test-kit';
import { type ChatServices, startChatServices } from './test-support/chat-services.ts';
import { receiverCalls } from './test-support/receivers.ts';
import { startDispatcher, type TestDispatcher } from './test-support/start-dispatcher.ts';

let service: TestDispatcher;
let chats: ChatServices;
let receivers: ReturnType<typeof receiverCalls>;
beforeAll(async () => {
  [service, chats] = [await startDispatcher(), await startChatServices()];
  receivers = receiverCalls(service);
});
afterAll(async () => {
  await service?.stop();
  await chats?.stop();
});

const [FAR_AGO, FAR_AHEAD] = [new Date(0), new Date('2100-01-01')];
const forms = ['slack', 'discord', 'teams'] as const;
const newPath = () => `/${randomUUID()}`;
const hook = (path: string) => service.receiver.hookUrl + path;
const changesOf = (receiverId: string) =>
  service.caller.received(webhookDispatcher.receiverChanged).filter((one) => one.receiverId === receiverId);
const untilChanged = (receiverId: string, change: string) =>
  eventually(() => {
    const found = changesOf(receiverId).find(({ changes }) => changes.some((one) => one === change));
    if (found === undefined) throw new Error(`not ${change} yet`);
    return found;
  });
const deliveriesTo = async (accountId: string, receiverId: string) =>
  (await service.list(accountId, { receiverId })).deliveries;
const untilDeliveries = (accountId: string, receiverId: string, status: string, count = 1) =>
  eventually(async () => {
    const found = (await deliveriesTo(accountId, receiverId)).filter((one) => one.status === status);
    if (found.length !== count) throw new Error(`${found.length} are ${status}`);
    return found;
  });

describe('a receiver in a chat', () => {
  it.each(forms)(
    '%s gets a message that the service takes, and its address stands nowhere in the clear',
    async (form) => {
      const accountId = randomUUID();
      const url = chats.hook(form);
      const token = url.slice(-36);
      const receiver = await receivers.create(accountId, url, { form, events: ['monitor.words_found'] });
      expect(receiver.url).toBe(`${new URL(url).host}/...${token.slice(-4)}`);
      await service.emitWords({}, { accountId });
      const [delivery] = await untilDeliveries(accountId, receiver.id, 'delivered');
      expect(chats.received(url)).toMatchObject([{ faults: [] }]);
      const details = await service.get(accountId, delivery?.id ?? '');
      expect(details).toMatchObject({ delivery: { attempt_count: 1 }, attempts: [{ error: null }] });
      const seen = [
        JSON.stringify([await receivers.list(accountId), details, changesOf(receiver.id)]),
        ...(await service.query<{ row: string }>('SELECT to_jsonb(r)::text AS row FROM receivers r')).map(
          ({ row }) => row,
        ),
        ...(await service.query<{ row: string }>('SELECT to_jsonb(e)::text AS row FROM endpoints e')).map(
          ({ row }) => row,
        ),
        ...(await service.query<{ row: string }>('SELECT to_jsonb(d)::text AS row FROM deliveries d')).map(
          ({ row }) => row,
        ),
        ...(
          await service.query<{ row: string }>('SELECT to_jsonb(o)::text AS row FROM messaging.outbox o')
        ).map(({ row }) => row),
      ];
      expect(seen.filter((text) => text.includes(token))).toEqual([]);
    },
  );

  it.each(forms)('%s has a limit that is waited out by all that waits, and is no attempt', async (form) => {
    const accountId = randomUUID();
    const url = chats.hook(form, { limitSeconds: 600 }, 'take');
    const { id } = await receivers.create(accountId, url, { form });
    await service.emitJob('jobCompleted', { accountId, name: 'first' });
    await eventually(async () => {
      expect(chats.received(url)).toHaveLength(1);
      expect(await deliveriesTo(accountId, id)).toMatchObject([{ status: 'pending', attempt_count: 0 }]);
    });
    expect(await receivers.get(accountId, id)).toMatchObject({ failing_since: null });
    // What comes in the pause waits for its end, too, while others are served.
    await service.emitJob('jobCompleted', { accountId, name: 'second' });
    await untilDeliveries(accountId, id, 'pending', 2);
    await service.hurry(accountId);
    const other = randomUUID();
    const served = await receivers.create(other, chats.hook(form), { form });
    await service.emitJob('jobCompleted', { accountId: other });
    await untilDeliveries(other, served.id, 'delivered');
    expect(chats.received(url)).toHaveLength(1);
    await service.query('UPDATE endpoints SET rests_until = now() WHERE account_id = $1', [accountId]);
    await service.hurry(accountId);
    await untilDeliveries(accountId, id, 'delivered', 2);
    expect(chats.received(url)).toHaveLength(3);
    expect((await deliveriesTo(accountId, id)).map((one) => one.attempt_count)).toEqual([1, 1]);
  });

  it.each(forms)(
    '%s that is gone for good ends at once, is mailed, and goes on after a change',
    async (form) => {
      const accountId = randomUUID();
      const { id } = await receivers.create(accountId, chats.hook(form, 'gone'), { form });
      await service.emitJob('jobCompleted', { accountId });
      const [ended] = await untilDeliveries(accountId, id, 'failed');
      expect(ended?.attempt_count).toBe(1);
      expect(await untilChanged(id, 'disabled')).toMatchObject({
        ...{ disabledReason: 'gone', host: '127.0.0.1', name: 'Newsroom' },
      });
      expect(await receivers.get(accountId, id)).toMatchObject({ enabled: false, disabled_reason: 'gone' });
      await service.emitJob('jobCompleted', { accountId });
      await untilDeliveries(accountId, id, 'failed', 2);
      expect(await codeOf(receivers.test(accountId, id))).toBe('receiver_disabled');
      expect(await codeOf(receivers.replay(accountId, id, FAR_AGO))).toBe('receiver_disabled');
      const url = chats.hook(form);
      expect((await receivers.change(accountId, id, { url })).receiver).toMatchObject({ enabled: true });
      expect(await receivers.replay(accountId, id, FAR_AGO)).toEqual({ replayed: 2, is_complete: true });
      await untilDeliveries(accountId, id, 'delivered', 2);
      expect(chats.received(url)).toHaveLength(2);
    },
  );

  it('that answers an error in a 200 has not taken the message', async () => {
    for (const form of ['slack', 'teams'] as const) {
      const accountId = randomUUID();
      const { id } = await receivers.create(accountId, chats.hook(form, 'refuse'), { form });
      await service.emitJob('jobCompleted', { accountId });
      const [refused] = await eventually(async () => {
        const found = await deliveriesTo(accountId, id);
        expect(found).toMatchObject([{ status: 'pending', attempt_count: 1 }]);
        return found;
      });
      const { attempts } = await eventually(async () => {
        const details = await service.get(accountId, refused?.id ?? '');
        expect(details.attempts).toHaveLength(1);
        return details;
      });
      expect(attempts).toMatchObject([{ status: 200, error: 'refused' }]);
    }
  });
});

describe('what a receiver has not taken', () => {
  it('is sent again once, in order, and a repeat finds nothing', async () => {
    const accountId = randomUUID();
    const url = chats.hook('discord');
    const { id } = await receivers.create(accountId, url, { form: 'discord' });
    for (const name of ['one', 'two', 'three']) {
      await service.emitJob('jobCompleted', { accountId, name });
      await eventually(async () => expect(await deliveriesTo(accountId, id)).not.toEqual([]));
    }
    await untilDeliveries(accountId, id, 'delivered', 3);
    await service.query(`UPDATE deliveries SET state = 'failed' WHERE receiver_id = $1`, [id]);
    const replays = await Promise.all([1, 2, 3].map(() => receivers.replay(accountId, id, FAR_AGO)));
    expect(replays.map(({ replayed }) => replayed).sort()).toEqual([0, 0, 3]);
    await untilDeliveries(accountId, id, 'delivered', 3);
    const titles = chats.received(url).map(({ body }) => /"(\w+)\\?"/.exec(body.embeds[0].title)?.[1]);
    expect(titles.slice(3)).toEqual(titles.slice(0, 3));
    expect(await receivers.replay(accountId, id, FAR_AGO)).toEqual({ replayed: 0, is_complete: true });
    expect(await receivers.replay(accountId, id, FAR_AHEAD)).toMatchObject({ replayed: 0 });
  });

  it('is at most a hundred at once', async () => {
    const accountId = randomUUID();
    const { id } = await receivers.create(accountId, hook(newPath()));
    await receivers.test(accountId, id);
    await untilDeliveries(accountId, id, 'delivered');
    await service.query(
      `INSERT INTO deliveries (id, account_id, endpoint_id, event_id, kind, body, is_override, state, receiver_id, created_at, ended_at)
       SELECT gen_random_uuid(), account_id, endpoint_id, gen_random_uuid(), 'job.completed', '{}', false, 'failed', receiver_id, now(), now()
       FROM deliveries, generate_series(1, 101) WHERE receiver_id = $1`,
      [id],
    );
    expect(await receivers.replay(accountId, id, FAR_AGO)).toEqual({ replayed: 100, is_complete: false });
    // With the receiver, the test and these, the day has 98 left.
    expect(await receivers.replay(accountId, id, FAR_AGO)).toEqual({ replayed: 1, is_complete: true });
  });

  it('fails if the receiver is deleted, and nothing more is sent', async () => {
    const accountId = randomUUID();
    const path = newPath();
    service.receiver.script([500], path);
    const { id } = await receivers.create(accountId, hook(path));
    await service.emitJob('jobCompleted', { accountId });
    await eventually(() => expect(service.receiver.received(path)).toHaveLength(1));
    await eventually(async () => {
      const states = await service.query('SELECT FROM deliveries WHERE receiver_id = $1 AND state = $2', [
        id,
        'waiting',
      ]);
      expect(states).toHaveLength(1);
    });
    await receivers.remove(accountId, id);
    expect(await deliveriesTo(accountId, id)).toMatchObject([{ status: 'failed', next_attempt_at: null }]);
    expect(await untilChanged(id, 'removed')).toMatchObject({ state: null });
    expect(
      await codeOf(
        service.call(
          webhookDispatcher.resendDelivery,
          { accountId, deliveryId: (await deliveriesTo(accountId, id))[0]?.id ?? '' },
          testContext(),
        ),
      ),
    ).toBe('receiver_not_found');
  });
});
