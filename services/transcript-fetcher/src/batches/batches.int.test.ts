import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { testContext } from '@tds/kit/testing';
import { eventually } from '@tds/test-kit';
import { batchChecks } from '../test-support/batch-checks.ts';
import { toRows } from '../test-support/batches.ts';
import { startFetcher, type TestFetcher } from '../test-support/start-fetcher.ts';

let fetcher: TestFetcher;
beforeAll(async () => {
  fetcher = await startFetcher();
});
afterAll(() => fetcher?.stop());
afterEach(() => {
  fetcher.ledger.setAway(false);
  fetcher.identity.update({});
  fetcher.simulator.setMaxConcurrent(Number.POSITIVE_INFINITY);
});

const { newBatch, phase, booksAre, counted } = batchChecks(() => fetcher, 20_000);

describe('a batch of rows', () => {
  it('is fetched and charged row by row; a failure costs nothing', async () => {
    const [batchId, accountId] = [randomUUID(), randomUUID()];
    const rows = toRows(['manualEn001', 'asrOnlyEn01', 'private_001']);
    const opened = await fetcher.batches.submitBatch({ batchId, accountId, rows });
    expect(opened).toMatchObject({ unopened: [], refusal: null });
    const changes = await fetcher.batches.waitForEnds(batchId, rows);
    expect(changes.map(({ state }) => state)).toEqual(['delivered', 'delivered', 'failed']);
    await booksAre(accountId, { charged: 2, held: 0 });
  });

  it('is cached for the next batch: nothing is held, counted or fetched', async () => {
    const first = newBatch();
    await fetcher.batches.submitBatch(first);
    await fetcher.batches.waitForEnds(first.batchId, first.rows);
    const again = { ...newBatch(), rows: toRows(first.rows.map(({ videoId }) => videoId)) };
    await fetcher.batches.submitBatch(again);
    const changes = await fetcher.batches.waitForEnds(again.batchId, again.rows);
    expect(changes).toMatchObject(Array(3).fill({ state: 'delivered', cache: 'HIT', charge: 0 }));
    expect(await counted(again.accountId)).toBe(0);
    await booksAre(again.accountId, { charged: 0, held: 0 });
  });

  it('opened again after a lost answer is the same: each row is reserved and fetched once', async () => {
    const batch = newBatch();
    fetcher.ledger.loseAnswer('reserveItems', true);
    await expect(fetcher.batches.submitBatch(batch)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await phase(batch)).toEqual(['ready', 'ready', 'ready']);
    fetcher.ledger.loseAnswer('reserveItems', false);
    for (const _ of ['again', 'and again'])
      expect(await fetcher.batches.submitBatch(batch)).toMatchObject({ unopened: [], refusal: null });
    await fetcher.batches.waitForEnds(batch.batchId, batch.rows);
    await booksAre(batch.accountId, { charged: 3, held: 0 });
    expect(await counted(batch.accountId)).toBe(3);
  });

  it('opened twice at once is opened once', async () => {
    const batch = newBatch();
    await Promise.allSettled([fetcher.batches.submitBatch(batch), fetcher.batches.submitBatch(batch)]);
    await fetcher.batches.submitBatch(batch);
    await fetcher.batches.waitForEnds(batch.batchId, batch.rows);
    await booksAre(batch.accountId, { charged: 3, held: 0 });
  });
});

describe('rows beyond a limit', () => {
  it('of credits are not opened, in row order, and the refusal gives the missing credits', async () => {
    const batch = newBatch(4);
    fetcher.ledger.releaseSlots(batch.accountId, 2);
    const opened = await fetcher.batches.submitBatch(batch);
    const [, , third, fourth] = batch.rows;
    expect(opened.unopened.toSorted()).toEqual([third?.operationId, fourth?.operationId].toSorted());
    expect(opened.refusal).toMatchObject({ code: 'insufficient_credits', required: 4 });
    await fetcher.batches.waitForEnds(batch.batchId, batch.rows.slice(0, 2));
    await booksAre(batch.accountId, { charged: 2, held: 0 });
    expect(await counted(batch.accountId)).toBe(2);
  });

  it('refuse the whole batch if full coverage is required: nothing is held or counted', async () => {
    const batch = newBatch(4);
    fetcher.ledger.releaseSlots(batch.accountId, 2);
    const opened = await fetcher.batches.submitBatch({ ...batch, isAccepted: false });
    expect(opened.unopened).toHaveLength(4);
    expect(opened.refusal).toMatchObject({ code: 'insufficient_credits', required: 4 });
    expect(await phase(batch)).toEqual([null, null, null, null]);
    await booksAre(batch.accountId, { charged: 0, held: 0 });
    expect(await counted(batch.accountId)).toBe(0);
    expect(fetcher.ledger.books().balance(batch.accountId)).toMatchObject({ free: 2, reserved: 0 });
  });

  it('of the daily cap of the key are not opened, even with full coverage required, and may be tomorrow', async () => {
    const [batch, limitId, keyId] = [newBatch(3), randomUUID(), randomUUID()];
    fetcher.identity.update({ limitId, dailyCreditCap: 5 });
    fetcher.ledger.use(batch.accountId, limitId, 3);
    const opened = await fetcher.batches.submitBatch({ ...batch, keyId, isAccepted: false });
    expect(opened.unopened).toEqual([batch.rows[2]?.operationId]);
    expect(opened.refusal).toMatchObject({
      code: 'daily_credit_cap',
      ...{ required: 3, available: 2, message: expect.stringContaining('5 credits a day and has used 3') },
      retryAfterSeconds: expect.any(Number),
    });
    await fetcher.batches.submitBatch({ ...batch, keyId, rows: batch.rows.slice(0, 2) });
    await fetcher.batches.waitForEnds(batch.batchId, batch.rows.slice(0, 2));
  });

  it('of a cap lowered below the usage of the key are not opened; the refusal gives both', async () => {
    const [batch, limitId, keyId] = [newBatch(3), randomUUID(), randomUUID()];
    fetcher.identity.update({ limitId, dailyCreditCap: 5 });
    fetcher.ledger.use(batch.accountId, limitId, 24);
    const opened = await fetcher.batches.submitBatch({ ...batch, keyId, isAccepted: false });
    expect(opened.unopened).toHaveLength(3);
    expect(opened.refusal).toMatchObject({ code: 'daily_credit_cap', required: 3, available: 0 });
    expect(opened.refusal?.message).toContain('5 credits a day and has used 24 of them; this needs 3.');
  });

  it('of cold fetches a day are not opened; the refusal names the limit', async () => {
    const batch = newBatch(3);
    fetcher.identity.update({ tier: 'free', limitId: null });
    await fetcher.query(`INSERT INTO cold_counts VALUES ($1, (now() AT TIME ZONE 'UTC')::date, 98)`, [
      `key:${batch.accountId}`,
    ]);
    const opened = await fetcher.batches.submitBatch(batch);
    expect(opened).toMatchObject({
      unopened: [batch.rows[2]?.operationId],
      refusal: { code: 'cold_fetch_cap', retryAfterSeconds: expect.any(Number) },
    });
    await fetcher.batches.waitForEnds(batch.batchId, batch.rows.slice(0, 2));
    expect(await counted(batch.accountId)).toBe(100);
  });

  it.each([
    ['key_revoked', { phase: 'revoked' }],
    ['account_frozen', { accountStatus: 'frozen' }],
    ['account_closed', { accountStatus: 'closed' }],
  ] as const)('because of %s: nothing is opened, not even cached rows', async (code, says) => {
    const batch = newBatch();
    fetcher.identity.update(says);
    const opened = await fetcher.batches.submitBatch({ ...batch, keyId: randomUUID() });
    expect(opened).toMatchObject({ version: 0, refusal: { code } });
    expect(opened.unopened).toEqual(batch.rows.map(({ operationId }) => operationId));
    expect(await phase(batch)).toEqual([null, null, null]);
  });

  it('of an account that is frozen at the ledger are not opened or counted', async () => {
    const batch = newBatch();
    fetcher.ledger.fail('reserveItems', 'account_frozen');
    const opened = await fetcher.batches.submitBatch(batch);
    fetcher.ledger.fail('reserveItems', null);
    expect(opened).toMatchObject({ refusal: { code: 'account_frozen' } });
    expect(opened.unopened).toHaveLength(3);
    expect([await phase(batch), await counted(batch.accountId)]).toEqual([[null, null, null], 0]);
  });

  it('of a stopped batch are never opened', async () => {
    const batch = newBatch();
    await fetcher.batches.pauseBatch(batch.batchId, batch.accountId);
    const opened = await fetcher.batches.submitBatch(batch);
    expect(opened).toMatchObject({ refusal: { code: 'job_cancelled' } });
    expect(opened.unopened).toHaveLength(3);
    await booksAre(batch.accountId, { charged: 0, held: 0 });
  });
});

describe('a key that is revoked at once', () => {
  const revoke = (accountId: string, keyId: string, atOnce = true) =>
    fetcher
      .handlers()
      .subscriptions.keyRevoked(
        { accountId, keyId, atOnce, keyDigest: 'a'.repeat(64) },
        testContext() as never,
      );

  it('has no row begun any more, though its job is not paused; what has begun is delivered', async () => {
    const batch = { ...newBatch(100), keyId: randomUUID() };
    const release = fetcher.simulator.hold();
    await fetcher.batches.submitBatch(batch);
    await revoke(batch.accountId, randomUUID());
    await revoke(batch.accountId, batch.keyId, false);
    await eventually(async () => expect(await phase(batch)).toContain('fetching'));
    expect(await phase(batch)).not.toContain('cancelled');
    await revoke(batch.accountId, batch.keyId);
    const states = await phase(batch);
    expect(new Set(states)).toEqual(new Set(['cancelled', 'fetching']));
    release();
    await booksAre(batch.accountId, {
      charged: states.filter((state) => state === 'fetching').length,
      held: 0,
    });
  });
});

describe('while the ledger is away', () => {
  it('nothing begins; the same call begins it once when the ledger is back', async () => {
    const batch = newBatch();
    fetcher.ledger.setAway(true);
    await expect(fetcher.batches.submitBatch(batch)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(new Set(await phase(batch))).toEqual(new Set(['ready']));
    fetcher.ledger.setAway(false);
    await fetcher.batches.submitBatch(batch);
    await fetcher.batches.waitForEnds(batch.batchId, batch.rows);
    await booksAre(batch.accountId, { charged: 3, held: 0 });
  });

  it('begun rows are delivered, and charged when the ledger is back', async () => {
    const batch = newBatch();
    const release = fetcher.simulator.hold();
    await fetcher.batches.submitBatch(batch);
    fetcher.ledger.setAway(true);
    release();
    await fetcher.batches.waitForEnds(batch.batchId, batch.rows);
    expect(fetcher.ledger.count('charged', batch.accountId)).toBe(0);
    fetcher.ledger.setAway(false);
    await fetcher.rows.makeDue('settlements');
    await booksAre(batch.accountId, { charged: 3, held: 0 });
  });

  it('a paused reservation is released later; an unknown reservation never holds credits', async () => {
    const batch = newBatch();
    fetcher.ledger.setAway(true);
    await fetcher.batches.submitBatch(batch).catch(() => null);
    await fetcher.batches.pauseBatch(batch.batchId, batch.accountId);
    fetcher.ledger.setAway(false);
    await fetcher.rows.makeDue('settlements');
    await eventually(async () => expect(await fetcher.query('SELECT FROM settlements')).toEqual([]));
    const { requests: asked } = fetcher.ledger;
    const late = asked.findLast(({ jobId }) => jobId === batch.batchId);
    if (!late) throw new Error('the ledger was asked');
    expect(fetcher.ledger.books().reserve(late).held).toEqual([]);
    expect(await counted(batch.accountId)).toBe(0);
  });
});
