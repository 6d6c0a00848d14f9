import { describe, expect, it } from '@jest/globals';
import { LARGEST_USAGE_BATCH, recordUsage, serviceError } from '@tds/contracts';
import { createUsageCollector } from './usage-collector.ts';
import { createUsageFlusher, type UsageBatch } from './usage-flusher.ts';

const accountId = '6b1f5f5e-6b7c-4a0e-9a4f-111111111111';
const keyOf = (index: number) => `6b1f5f5e-6b7c-4a0e-9a4f-${String(index).padStart(12, '0')}`;
const request = (index = 1) => ({ accountId, keyId: keyOf(index), isAuthenticated: true });
const ok = { status: 200 };
const hit = { status: 200, cache: 'HIT' as const };
const miss = { status: 200, cache: 'MISS' as const };
const failed = { status: 404 };

/** A collector and a flusher before a ledger that adds each id once and answers as it is told to. */
const newUsage = (most?: number) => {
  let now = new Date('2027-01-31T23:59:59.999Z');
  const collector = createUsageCollector(() => now, most);
  const ledger = { sent: [] as UsageBatch[], added: new Map<string, UsageBatch>(), answer: () => {} };
  const lost: number[] = [];
  const flush = createUsageFlusher({
    collector,
    send: async (batch) => {
      ledger.sent.push(recordUsage.request.parse(batch));
      ledger.added.set(batch.id, batch);
      ledger.answer();
    },
    onLoss: (requests) => lost.push(requests),
  });
  const added = () => [...ledger.added.values()].flatMap(({ items }) => items);
  const setNow = (text: string) => {
    now = new Date(text);
  };
  return { collector, ledger, lost, flush, added, setNow };
};
const sum = (items: readonly { requests: number }[]) =>
  items.reduce((all, { requests }) => all + requests, 0);

describe('the collector', () => {
  it('sums requests, hits and failures by key and UTC day', async () => {
    const { collector, flush, added, setNow } = newUsage();
    for (const answer of [ok, hit, hit, miss, failed]) collector.count(request(), answer);
    setNow('2027-02-01T00:00:00.000Z');
    collector.count(request(), hit);
    collector.count(request(2), ok);
    await flush();
    const counts = (keyId: string, day: string, requests: number, cacheHits: number, failures: number) => ({
      ...{ accountId, keyId, day, requests, cacheHits, failures },
    });
    expect(added()).toEqual([
      counts(keyOf(1), '2027-01-31', 5, 2, 1),
      counts(keyOf(1), '2027-02-01', 1, 1, 0),
      counts(keyOf(2), '2027-02-01', 1, 0, 0),
    ]);
  });

  it('counts nothing of strangers and sessions', async () => {
    const { collector, flush, ledger } = newUsage();
    collector.count({ ...request(), isAuthenticated: false }, ok);
    collector.count({ ...request(), keyId: null }, ok);
    await flush();
    expect(ledger.sent).toEqual([]);
  });

  it('holds a bounded number of counters, and says how many requests it could not count', async () => {
    const { collector, flush, added, lost } = newUsage(10);
    for (let index = 0; index < 15; index += 1) collector.count(request(index), ok);
    collector.count(request(3), ok);
    await flush();
    expect(sum(added())).toBe(11);
    expect(lost).toEqual([5]);
  });
});

describe('the flusher', () => {
  it('sends a batch without an answer again under its own id, so that nothing is added twice or lost', async () => {
    const { collector, flush, ledger, added } = newUsage();
    let failures = 0;
    ledger.answer = () => {
      failures += 1;
      if (failures % 3 !== 0) throw serviceError('service_unavailable');
    };
    for (let round = 0; round < 30; round += 1) {
      collector.count(request(round % 4), ok);
      await flush();
    }
    ledger.answer = () => {};
    await flush();
    expect(ledger.sent.length).toBeGreaterThan(ledger.added.size);
    expect(sum(added())).toBe(30);
  });

  it('keeps what comes during an outage of any length, in one batch per key', async () => {
    const { collector, flush, ledger, added, lost } = newUsage();
    ledger.answer = () => {
      throw serviceError('service_unavailable');
    };
    for (let round = 0; round < 1_000; round += 1) {
      collector.count(request(), ok);
      await flush();
    }
    ledger.answer = () => {};
    await flush();
    expect(ledger.added.size).toBe(2);
    expect(sum(added())).toBe(1_000);
    expect(lost).toEqual([]);
  });

  it('sends no batch larger than the ledger takes', async () => {
    const { collector, flush, ledger, added } = newUsage();
    for (let index = 0; index < 1_200; index += 1) collector.count(request(index), ok);
    await flush();
    expect(ledger.sent.map(({ items }) => items.length)).toEqual([
      LARGEST_USAGE_BATCH,
      LARGEST_USAGE_BATCH,
      200,
    ]);
    expect(sum(added())).toBe(1_200);
  });

  it('gives up a batch that the ledger refuses for ever, and goes on with the next', async () => {
    const { collector, flush, ledger, lost } = newUsage();
    ledger.answer = () => {
      throw serviceError('unexpected_error');
    };
    collector.count(request(), ok);
    for (let round = 0; round < 10; round += 1) await flush();
    expect(lost).toEqual([1]);
    ledger.answer = () => {};
    collector.count(request(), ok);
    await flush();
    expect(ledger.added.size).toBe(2);
  });

  it('is one at a time, however often it is asked', async () => {
    const { collector, flush, ledger } = newUsage();
    collector.count(request(), ok);
    await Promise.all([flush(), flush(), flush()]);
    expect(ledger.sent).toHaveLength(1);
  });
});
