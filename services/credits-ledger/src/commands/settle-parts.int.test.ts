import { randomUUID } from 'node:crypto';
import { creditsLedger, MOST_PARTS } from '@tds/contracts';
import { testContext } from '@tds/service-kit/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startLedger, type TestLedger } from '../test-support/start-ledger.ts';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await startLedger();
});
afterAll(async () => {
  expect(await ledger.database.findings()).toEqual([]);
  await ledger.stop();
});

const newJob = () => ({
  ...{ accountId: randomUUID(), keyId: randomUUID(), ref: randomUUID(), requestId: randomUUID() },
  ...{ reason: 'job', subject: { job_id: 'j1' }, unit: 2, parts: 5 },
});
const reserve = (job: ReturnType<typeof newJob>) =>
  ledger.call(creditsLedger.reserveInParts, job, testContext());
const settleParts = (ref: string, parts: number[]) =>
  ledger.call(creditsLedger.settleParts, { ref, parts }, testContext());
const settle = (ref: string) => ledger.call(creditsLedger.settleReservation, { ref }, testContext());
const release = (ref: string) => ledger.call(creditsLedger.releaseReservation, { ref }, testContext());

describe('a job', () => {
  it('is charged part by part over the bus, and the projection follows', async () => {
    const job = newJob();
    expect(await reserve(job)).toMatchObject({ outcome: 'reserved', free: 90, charged: [], remaining: 5 });
    const settled = await settleParts(job.ref, [5, 2, 5]);
    expect(settled).toMatchObject({ outcome: 'settled', charged: [2, 5], remaining: 3 });
    expect(settled.balance).toMatchObject({ free: 90, reserved: 6 });
    const projected = await ledger.identityKit.projections.read(creditsLedger.balance, [job.accountId]);
    expect(projected).toEqual(settled.balance);
    expect(await release(job.ref)).toMatchObject({ outcome: 'released', balance: { free: 96, reserved: 0 } });
    expect(await settleParts(job.ref, [1, 2])).toMatchObject({
      outcome: 'released',
      charged: [2],
      remaining: 0,
    });
    expect(await settle(job.ref)).toMatchObject({ outcome: 'released' });
  });

  it('is charged whole by a settlement that names no part', async () => {
    const job = newJob();
    await reserve(job);
    await settleParts(job.ref, [1]);
    expect(await settle(job.ref)).toMatchObject({ outcome: 'settled', balance: { free: 90, reserved: 0 } });
    expect(await release(job.ref)).toMatchObject({ outcome: 'settled', balance: { free: 90 } });
  });

  it('is one line for each call that charged something, with the number of its parts, and usage counts each part', async () => {
    const job = newJob();
    await reserve(job);
    await settleParts(job.ref, [1, 2, 3]);
    await settleParts(job.ref, [3]);
    await settleParts(job.ref, [3, 4]);
    const page = { accountId: job.accountId, keyId: null, limit: 50, offset: 0, asOf: null };
    const { rows } = await ledger.call(creditsLedger.getLedger, page, testContext());
    const { ref, requestId, subject } = job;
    expect(rows).toMatchObject([
      { kind: 'settle', parts: 1, ref, requestId, subject, reserved: { before: 4, after: 2 } },
      { kind: 'settle', parts: 3, ref, requestId, subject, reserved: { before: 10, after: 4 } },
      { kind: 'monthly_grant', parts: null },
    ]);
    const day = new Date().toISOString().slice(0, 10);
    const range = { accountId: job.accountId, keyId: job.keyId, from: '2026-01-01', to: day };
    const usage = await ledger.call(creditsLedger.getUsage, range, testContext());
    expect(usage.rows).toMatchObject([{ coldDeliveries: 4, creditsCharged: 8 }]);
  });

  it('that is open is listed and looked up as any reservation', async () => {
    const job = newJob();
    await reserve(job);
    const lookUp = { refs: [job.ref] };
    const { rows } = await ledger.call(creditsLedger.lookUpReservations, lookUp, testContext());
    expect(rows).toMatchObject([{ ref: job.ref, state: 'open' }]);
    const asked = { reason: 'job', olderThanMs: 0, after: null, limit: 500 };
    const open = await ledger.call(creditsLedger.listOpenReservations, asked, testContext());
    expect(open.rows.map(({ ref }) => ref)).toContain(job.ref);
  });

  it('that the account cannot pay is 402 with what the whole costs', async () => {
    const refused = reserve({ ...newJob(), unit: 1, parts: 101 });
    await expect(refused).rejects.toMatchObject({
      code: 'insufficient_credits',
      data: { extras: { required: 101 } },
    });
  });

  it('has no parts but its own', async () => {
    const job = newJob();
    await reserve(job);
    await expect(settleParts(job.ref, [6])).rejects.toMatchObject({ code: 'unexpected_error' });
    await expect(settleParts(job.ref, [MOST_PARTS + 1])).rejects.toMatchObject({
      status: expect.any(Number),
    });
    expect(await settleParts(randomUUID(), [1])).toEqual({
      outcome: 'unknown',
      balance: null,
      charged: [],
      remaining: 0,
    });
  });
});
