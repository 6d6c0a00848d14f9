import { describe, expect, it } from '@jest/globals';
import { creditsLedger, MAX_USAGE_BATCH, type UsageItem } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { type Batch, createFlusher } from './flusher.ts';
import { createUsageReport } from './usage.ts';

const accountId = '6b1f5f5e-6b7c-4a0e-9a4f-111111111111';
const keyOf = (index: number) => `6b1f5f5e-6b7c-4a0e-9a4f-${String(index).padStart(12, '0')}`;
const request = (index = 1) => ({ accountId, keyId: keyOf(index), isAuthenticated: true });
const ok = { status: 200 };
const hit = { status: 200, cache: 'HIT' as const };
const miss = { status: 200, cache: 'MISS' as const };
const failed = { status: 404 };

/** A report before a ledger that adds each id once and answers as the test says. */
const newUsage = (most?: number) => {
  let now = new Date('2027-01-31T23:59:59.999Z');
  const ledger = {
    sent: [] as Batch<UsageItem>[],
    added: new Map<string, Batch<UsageItem>>(),
    answer: () => {},
  };
  const lost: number[] = [];
  const recipient = {
    send: async (batch: Batch<UsageItem>) => {
      ledger.sent.push(creditsLedger.recordUsage.request.parse(batch));
      ledger.added.set(batch.id, batch);
      ledger.answer();
    },
    onLoss: (requests: number) => lost.push(requests),
  };
  const report = { ...createUsageReport(() => now, recipient.onLoss, most), send: recipient.send };
  const added = () => [...ledger.added.values()].flatMap(({ items }) => items);
  const setNow = (text: string) => {
    now = new Date(text);
  };
  return { count: report.count, ...createFlusher(report), ledger, lost, added, setNow };
};
const sum = (items: readonly { requests: number }[]) => items.reduce((all, { requests }) => all + requests, 0);

describe('usage', () => {
  it('sums requests, hits and failures by key and UTC day', async () => {
    const { count, flushAll, added, setNow } = newUsage();
    for (const answer of [ok, hit, hit, miss, failed]) count(request(), answer);
    setNow('2027-02-01T00:00:00.000Z');
    count(request(), hit);
    count(request(2), ok);
    await flushAll();
    const counted = (keyId: string, day: string, requests: number, cacheHits: number, failures: number) => ({
      accountId,
      keyId,
      day,
      requests,
      cacheHits,
      failures,
    });
    expect(added()).toEqual([
      counted(keyOf(1), '2027-01-31', 5, 2, 1),
      counted(keyOf(1), '2027-02-01', 1, 1, 0),
      counted(keyOf(2), '2027-02-01', 1, 0, 0),
    ]);
  });

  it('ignores callers without a key, and sessions', async () => {
    const { count, flushAll, ledger } = newUsage();
    count({ ...request(), isAuthenticated: false }, ok);
    count({ ...request(), keyId: null }, ok);
    await flushAll();
    expect(ledger.sent).toEqual([]);
  });

  it('holds a bounded number of counters, and reports the number of uncounted requests', async () => {
    const { count, flushAll, added, lost } = newUsage(10);
    for (let index = 0; index < 15; index += 1) count(request(index), ok);
    count(request(3), ok);
    await flushAll();
    expect(sum(added())).toBe(11);
    expect(lost).toEqual([5]);
  });
});

describe('the flusher', () => {
  it('repeats a batch without an answer under its id, so that nothing is added twice or lost', async () => {
    const { count, flushAll, ledger, added } = newUsage();
    let failures = 0;
    ledger.answer = () => {
      failures += 1;
      if (failures % 3 !== 0) throw serviceError('service_unavailable');
    };
    for (let round = 0; round < 30; round += 1) {
      count(request(round % 4), ok);
      await flushAll();
    }
    ledger.answer = () => {};
    await flushAll();
    expect(ledger.sent.length).toBeGreaterThan(ledger.added.size);
    expect(sum(added())).toBe(30);
  });

  it('keeps the counts of an outage of any length, in one batch per key', async () => {
    const { count, flushAll, ledger, added, lost } = newUsage();
    ledger.answer = () => {
      throw serviceError('service_unavailable');
    };
    for (let round = 0; round < 1_000; round += 1) {
      count(request(), ok);
      await flushAll();
    }
    ledger.answer = () => {};
    await flushAll();
    expect(ledger.added.size).toBe(2);
    expect(sum(added())).toBe(1_000);
    expect(lost).toEqual([]);
  });

  it('sends no batch above the limit of the ledger', async () => {
    const { count, flushAll, ledger, added } = newUsage();
    for (let index = 0; index < 1_200; index += 1) count(request(index), ok);
    await flushAll();
    expect(ledger.sent.map(({ items }) => items.length)).toEqual([MAX_USAGE_BATCH, MAX_USAGE_BATCH, 200]);
    expect(sum(added())).toBe(1_200);
  });

  it('sends one batch at a time for normal days, and all if room runs out', async () => {
    const roomy = newUsage(10_000);
    for (let index = 0; index < 1_200; index += 1) roomy.count(request(index), ok);
    await roomy.flushSome();
    expect(roomy.ledger.sent).toHaveLength(1);
    await Promise.all([roomy.flushSome(), roomy.flushAll()]);
    expect(sum(roomy.added())).toBe(1_200);
    const tight = newUsage(2_400);
    for (let index = 0; index < 1_200; index += 1) tight.count(request(index), ok);
    await tight.flushSome();
    expect(sum(tight.added())).toBe(1_200);
  });

  it('drops a batch that the ledger rejects for good, and continues with the next', async () => {
    const { count, flushAll, ledger, lost } = newUsage();
    ledger.answer = () => {
      throw serviceError('unexpected_error');
    };
    count(request(), ok);
    for (let round = 0; round < 10; round += 1) await flushAll();
    expect(lost).toEqual([1]);
    ledger.answer = () => {};
    count(request(), ok);
    await flushAll();
    expect(ledger.added.size).toBe(2);
  });

  it('runs once at a time', async () => {
    const { count, flushAll, flushSome, ledger } = newUsage();
    count(request(), ok);
    await Promise.all([flushAll(), flushSome(), flushAll()]);
    expect(ledger.sent).toHaveLength(1);
  });
});
