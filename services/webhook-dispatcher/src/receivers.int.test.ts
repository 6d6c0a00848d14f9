import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { creditsLedger, derivedId, identity, MAX_RECEIVERS, webhookDispatcher } from '@tds/contracts';
import { codeOf, copyDatabase, eventually } from '@tds/test-kit';
import { type ChatServices, startChatServices } from './test-support/chat-services.ts';
import { receiverCalls } from './test-support/receivers.ts';
import { sealedSecret, startDispatcher, type TestDispatcher } from './test-support/start-dispatcher.ts';

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

const FAR_AGO = new Date(0);
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

describe('receivers of an account', () => {
  it('are at most ten, also if twelve are created at once, and a deleted one makes room', async () => {
    const accountId = randomUUID();
    const made = await Promise.allSettled(
      Array.from({ length: 12 }, () => receivers.create(accountId, hook(newPath()))),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(MAX_RECEIVERS);
    expect(await codeOf(receivers.create(accountId, hook(newPath())))).toBe('receiver_limit');
    const listed = await receivers.list(accountId);
    expect(listed).toHaveLength(MAX_RECEIVERS);
    await receivers.remove(accountId, listed[0]?.id ?? '');
    expect(await receivers.create(accountId, hook(newPath()))).toMatchObject({ enabled: true, form: 'signed' });
  });

  it('are known to their account only, and gone after their end', async () => {
    const accountId = randomUUID();
    const { id } = await receivers.create(accountId, hook(newPath()));
    for (const stranger of [receivers.get, receivers.remove, receivers.test])
      expect(await codeOf(stranger(randomUUID(), id) as Promise<unknown>)).toBe('receiver_not_found');
    await receivers.remove(accountId, id);
    for (const again of [receivers.get, receivers.remove, receivers.test])
      expect(await codeOf(again(accountId, id) as Promise<unknown>)).toBe('receiver_not_found');
    expect(await codeOf(receivers.change(accountId, id, { name: 'Other' }))).toBe('receiver_not_found');
    expect(await codeOf(receivers.replay(accountId, id, FAR_AGO))).toBe('receiver_not_found');
    expect(await receivers.list(accountId)).toEqual([]);
  });

  it.each([
    ['http://93.184.215.14/', 'webhook_url_invalid'],
    ['https://u:p@93.184.215.14/', 'webhook_url_invalid'],
    ['https://10.0.0.1/services/x', 'webhook_url_private'],
    ['https://[::ffff:169.254.169.254]/', 'webhook_url_private'],
  ])('are refused at %s in each form: %s', async (url, code) => {
    const accountId = randomUUID();
    for (const form of ['signed', ...forms] as const)
      expect(await codeOf(receivers.create(accountId, url, { form }))).toBe(code);
    expect(await service.query('SELECT FROM secrets WHERE account_id = $1', [accountId])).toEqual([]);
  });

  it('take no address that was sealed for another account, and no signing secret in a chat', async () => {
    const accountId = randomUUID();
    const { sealedSecret: sealedUrl } = sealedSecret(randomUUID(), hook(newPath()));
    expect(await codeOf(receivers.create(accountId, '', { sealedUrl }))).toBe('service_unavailable');
    const { id } = await receivers.create(accountId, chats.hook('slack'), { form: 'slack' });
    const rotating = receivers.change(accountId, id, { rotateSecret: true });
    expect(await codeOf(rotating)).toBe('receiver_without_secret');
  });
});

describe('an event', () => {
  it('goes to the webhook and to each receiver that has chosen it, signed with the secret of each, and twice to none', async () => {
    const { accountId, path } = await service.newAccount();
    const [chosen, other] = [newPath(), newPath()];
    const receiver = await receivers.create(accountId, hook(chosen));
    await receivers.create(accountId, hook(other), { events: ['job.failed'] });
    service.receiver.addSecret(receiver.secret);
    await service.emitJob('jobCompleted', { accountId });
    await eventually(() => {
      for (const one of [path, chosen])
        expect(service.receiver.received(one)).toMatchObject([{ isVerified: true }]);
    });
    const [atWebhook, atReceiver] = [path, chosen].map((one) => service.receiver.received(one)[0]);
    expect(atReceiver?.body).toBe(atWebhook?.body);
    const [delivery] = await deliveriesTo(accountId, receiver.id);
    expect(delivery?.id).toBe(derivedId(delivery?.event_id ?? '', receiver.id));
    expect(atReceiver?.deliveryId).toBe(delivery?.id);
    await receivers.test(accountId, receiver.id);
    await eventually(() => expect(service.receiver.received(chosen)).toHaveLength(2));
    expect(service.receiver.received(other)).toEqual([]);
    expect(service.receiver.received(path)).toHaveLength(1);
  });

  it('goes to the receivers of an account without a webhook, and keeps its order in a chat', async () => {
    const accountId = randomUUID();
    // The first message waits, and the others behind it.
    const url = chats.hook('slack', { limitSeconds: 2 }, 'take');
    await receivers.create(accountId, url, { form: 'slack', events: ['job.completed'] });
    const names = ['one', 'two', 'three', 'four'];
    const planned = 'SELECT id FROM deliveries WHERE account_id = $1';
    for (const [at, name] of names.entries()) {
      await service.emitJob('jobCompleted', { accountId, name });
      // Events of different jobs may be handled at once.
      await eventually(async () => expect(await service.query(planned, [accountId])).toHaveLength(at + 1));
    }
    await eventually(() => expect(chats.received(url)).toHaveLength(1 + names.length));
    const texts = chats.received(url).map(({ body, faults }) => [faults, /"(\w+)"/.exec(body.text)?.[1]]);
    expect(texts).toEqual(['one', ...names].map((name) => [[], name]));
  });

  it('of a low balance comes at the threshold of the mails, once', async () => {
    const accountId = randomUUID();
    const path = newPath();
    await receivers.create(accountId, hook(path), { events: ['credits.low'] });
    await service.ledger.emit(creditsLedger.balanceRanLowForMail, { accountId, available: 4, threshold: 9 });
    await eventually(() => expect(service.receiver.received(path)).toHaveLength(1));
    const { body } = service.receiver.received(path)[0] ?? { body: '{}' };
    expect(JSON.parse(body)).toMatchObject({ type: 'credits.low', data: { available: 4, threshold: 9 } });
  });

  it('says of a job only what became of it at the webhook', async () => {
    const accountId = randomUUID();
    const [jobId, path] = [randomUUID(), newPath()];
    const { id } = await receivers.create(accountId, hook(path));
    await service.emitJob('jobCompleted', { accountId, jobId });
    await untilDeliveries(accountId, id, 'delivered');
    const ofJob = service.caller.received(webhookDispatcher.jobDeliveryChanged);
    expect(ofJob.filter((one) => one.jobId === jobId)).toEqual([]);
  });
});

describe('the end of a receiver', () => {
  it('comes after failures of days, with its mail; another receiver of the account goes on', async () => {
    const accountId = randomUUID();
    const [bad, good] = [newPath(), newPath()];
    service.receiver.script([500], bad);
    const failing = await receivers.create(accountId, hook(bad));
    const working = await receivers.create(accountId, hook(good));
    await service.query(
      `UPDATE receivers SET failing_since = now() - interval '6 days', failed_days = 3 WHERE id = $1`,
      [failing.id],
    );
    await service.emitJob('jobCompleted', { accountId });
    expect(await untilChanged(failing.id, 'disabled')).toMatchObject({ disabledReason: 'failing' });
    await untilDeliveries(accountId, working.id, 'delivered');
    expect(await receivers.get(accountId, working.id)).toMatchObject({ enabled: true, failing_since: null });
    const { receiver } = await receivers.change(accountId, failing.id, { name: 'Repaired' });
    expect(receiver).toMatchObject({ enabled: true, disabled_reason: null, failing_since: null });
  });

  it('comes with that of its account', async () => {
    const accountId = randomUUID();
    const { id } = await receivers.create(accountId, hook(newPath()));
    await service.people.emit(identity.accountStatusChanged, { accountId, status: 'closed', version: 1 });
    await untilChanged(id, 'removed');
    expect(await receivers.list(accountId)).toEqual([]);
  });
});

describe('a restored database', () => {
  it('brings back no deleted receiver and no old address, and has those that were created since', async () => {
    const accountId = randomUUID();
    const [deleted, moved] = [
      await receivers.create(accountId, hook(newPath())),
      await receivers.create(accountId, chats.hook('teams', 'gone'), { form: 'teams' }),
    ];
    const url = chats.hook('teams');
    const copy = await copyDatabase(service.harness.databases['webhook-dispatcher']);
    await receivers.remove(accountId, deleted.id);
    await receivers.change(accountId, moved.id, { url, name: 'Moved' });
    const added = await receivers.create(accountId, chats.hook('discord'), { form: 'discord' });
    await Promise.all([
      untilChanged(deleted.id, 'removed'),
      untilChanged(moved.id, 'address'),
      untilChanged(added.id, 'created'),
    ]);
    await copy.putBack();
    await eventually(async () => {
      const listed = await receivers.list(accountId);
      expect(listed.map(({ id, name }) => [id, name])).toEqual([
        [moved.id, 'Moved'],
        [added.id, 'Newsroom'],
      ]);
    });
    await receivers.test(accountId, moved.id);
    await eventually(() => expect(chats.received(url)).toHaveLength(1));
    await copy.drop();
  });
});
