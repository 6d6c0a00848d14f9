import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { batchChecks } from '../test-support/batch-checks.ts';
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

const { newBatch, phase, booksAre, counted } = batchChecks(() => fetcher, 25_000);

describe('rows of a job that is not accepted yet', () => {
  it('are held and counted, and begin only when opened as accepted', async () => {
    const [batch, other] = [newBatch(), newBatch()];
    expect(await fetcher.batches.submitBatch({ ...batch, isAccepted: false })).toMatchObject({
      unopened: [],
    });
    await fetcher.batches.submitBatch({ ...batch, isAccepted: false });
    await booksAre(batch.accountId, { charged: 0, held: 3 });
    // Later batches are served meanwhile, even of the same account.
    const sibling = { ...other, accountId: batch.accountId };
    await fetcher.batches.submitBatch(sibling);
    await fetcher.batches.waitForEnds(sibling.batchId, sibling.rows);
    expect(await phase(batch)).toEqual(['ready', 'ready', 'ready']);
    expect(await fetcher.batches.versions([batch.batchId])).toMatchObject([{ openRows: 0 }]);
    await fetcher.batches.submitBatch(batch);
    await fetcher.batches.waitForEnds(batch.batchId, batch.rows);
    await booksAre(batch.accountId, { charged: 6, held: 0 });
  });

  it('are released and not charged if the job is waived instead', async () => {
    const batch = newBatch();
    await fetcher.batches.submitBatch({ ...batch, isAccepted: false });
    await fetcher.batches.waiveBatch(batch.batchId, batch.accountId);
    await booksAre(batch.accountId, { charged: 0, held: 0 });
    expect(await counted(batch.accountId)).toBe(0);
    await fetcher.batches.submitBatch(batch);
    expect(await phase(batch)).toEqual(['cancelled', 'cancelled', 'cancelled']);
  });
});

describe('rows of work that a removed person passed on', () => {
  it('are paid by the key of who has it now, and stay those of the key that began it', async () => {
    const [batch, keyId, payingKeyId] = [newBatch(), randomUUID(), randomUUID()];
    fetcher.identity.update({ phase: 'retired', isPersonRemoved: true, payingKeyId });
    await fetcher.batches.submitBatch({ ...batch, keyId });
    await fetcher.batches.waitForEnds(batch.batchId, batch.rows);
    await booksAre(batch.accountId, { charged: 3, held: 0 });
    const requests = fetcher.ledger.requests.filter(({ accountId }) => accountId === batch.accountId);
    expect(requests.map((each) => each.keyId)).toEqual([payingKeyId]);
    const keys = 'SELECT DISTINCT key_id FROM operations WHERE batch_id = $1';
    expect(await fetcher.query(keys, [batch.batchId])).toEqual([{ key_id: keyId }]);
  });
});

describe('cold rows of a new job', () => {
  it.each([
    ['little room for', 98],
    ['no room for', 100],
  ])('have to be covered even if a daily cap leaves %s them', async (_room, begun) => {
    const batch = newBatch(4);
    fetcher.identity.update({ tier: 'free', limitId: null });
    fetcher.ledger.releaseSlots(batch.accountId, 2);
    await fetcher.query(`INSERT INTO cold_counts VALUES ($1, (now() AT TIME ZONE 'UTC')::date, $2)`, [
      `key:${batch.accountId}`,
      begun,
    ]);
    const opened = await fetcher.batches.submitBatch({ ...batch, isAccepted: false });
    expect(opened.refusal).toMatchObject({ code: 'insufficient_credits', required: 4, available: 2 });
    expect(opened.unopened).toHaveLength(4);
    expect(await counted(batch.accountId)).toBe(begun);
    await booksAre(batch.accountId, { charged: 0, held: 0 });
  });

  it.each([
    ['the key', { dailyCreditCap: 2 }],
    ['the person', { isPersonCapped: true }],
  ])('have to be covered even if the daily cap of %s leaves little room', async (_whose, cap) => {
    const [batch, limitId, keyId] = [newBatch(4), randomUUID(), randomUUID()];
    fetcher.identity.update({ limitId, dailyCreditCap: null, isPersonCapped: false, ...cap });
    fetcher.ledger.releaseSlots(batch.accountId, 3);
    const opened = await fetcher.batches.submitBatch({ ...batch, keyId, isAccepted: false });
    expect(opened.refusal).toMatchObject({ code: 'insufficient_credits', required: 4, available: 3 });
    await booksAre(batch.accountId, { charged: 0, held: 0 });
  });
});
