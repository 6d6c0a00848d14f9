import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type ReceiverEvent, webhookDispatcher } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { codeOf, eventually } from '@tds/test-kit';
import { receiverCalls } from './test-support/receivers.ts';
import { startDispatcher, type TestDispatcher } from './test-support/start-dispatcher.ts';

let service: TestDispatcher;
let receivers: ReturnType<typeof receiverCalls>;
beforeAll(async () => {
  service = await startDispatcher();
  receivers = receiverCalls(service);
});
afterAll(() => service?.stop());

const create = async (accountId: string, fields: { namedOnly?: boolean; events?: ReceiverEvent[] } = {}) =>
  (await receivers.create(accountId, `${service.receiver.hookUrl}/${randomUUID()}`, fields)).id;
const check = (accountId: string, receiverIds: string[]) =>
  service.call(webhookDispatcher.checkReceivers, { accountId, receiverIds }, testContext());

/** The receivers that have got an event of each of these jobs, by job. */
const untilGot = (accountId: string, expected: Readonly<Record<string, readonly string[]>>) =>
  eventually(async () => {
    const { deliveries } = await service.list(accountId);
    const got = Object.keys(expected).map((jobId) => [
      jobId,
      deliveries
        .filter((one) => one.job_id === jobId)
        .map(({ receiver_id: id }) => id)
        .toSorted(),
    ]);
    expect(Object.fromEntries(got)).toEqual(
      Object.fromEntries(Object.entries(expected).map(([jobId, ids]) => [jobId, [...ids].toSorted()])),
    );
  });

it('an event that names receivers goes to these alone, and others to all but those that are only for what names them', async () => {
  const accountId = randomUUID();
  const [open, named, onlyNamed] = [
    await create(accountId),
    await create(accountId),
    await create(accountId, { namedOnly: true }),
  ];
  const otherKinds = await create(accountId, { events: ['job.paused'] });
  const [ofAll, ofNamed, ofBoth, ofEnded] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const ended = await create(accountId);
  await receivers.remove(accountId, ended);
  await service.emitJob('jobCompleted', { accountId, jobId: ofAll });
  await service.emitJob('jobCompleted', { accountId, jobId: ofNamed, receiverIds: [named, otherKinds] });
  await service.emitJob('jobCompleted', { accountId, jobId: ofBoth, receiverIds: [named, onlyNamed] });
  await service.emitJob('jobCompleted', { accountId, jobId: ofEnded, receiverIds: [ended] });
  const last = randomUUID();
  await service.emitJob('jobCompleted', { accountId, jobId: last, receiverIds: [] });
  await untilGot(accountId, {
    ...{ [ofAll]: [open, named], [ofNamed]: [named], [ofBoth]: [named, onlyNamed] },
    ...{ [ofEnded]: [], [last]: [open, named] },
  });
});

it('an event of a monitor goes to the receivers that it names', async () => {
  const accountId = randomUUID();
  const events: ReceiverEvent[] = ['channel.new_videos', 'monitor.words_found'];
  const [named, open] = [
    await create(accountId, { events, namedOnly: true }),
    await create(accountId, { events }),
  ];
  await service.emitNewVideos({ accountId, isExpected: false, receiverIds: [named] });
  await service.emitNewVideos({ accountId, isExpected: false });
  await eventually(async () => {
    const { deliveries } = await service.list(accountId);
    expect(deliveries.map(({ receiver_id: id }) => id).toSorted()).toEqual([named, open].toSorted());
  });
});

it('only live receivers of the account can be named', async () => {
  const accountId = randomUUID();
  const id = await create(accountId);
  expect(await check(accountId, [id])).toEqual({});
  for (const [account, ids] of [
    [accountId, [id, randomUUID()]],
    [randomUUID(), [id]],
  ] as const)
    expect(await codeOf(check(account, [...ids]))).toBe('receiver_not_found');
  await receivers.remove(accountId, id);
  expect(await codeOf(check(accountId, [id]))).toBe('receiver_not_found');
});

it('a receiver is only for what names it until that is changed', async () => {
  const accountId = randomUUID();
  const id = await create(accountId, { namedOnly: true });
  expect(await receivers.get(accountId, id)).toMatchObject({ named_only: true });
  await receivers.change(accountId, id, { name: 'Other' });
  expect(await receivers.get(accountId, id)).toMatchObject({ named_only: true, name: 'Other' });
  await receivers.change(accountId, id, { namedOnly: false });
  expect(await receivers.get(accountId, id)).toMatchObject({ named_only: false });
});
