import { describe, expect, it } from 'vitest';
import type { Database } from '../store/database.ts';
import { awaitOperation } from './await-operation.ts';
import { type OperationOutcome, OperationWaiters } from './operation-waiters.ts';

const id = '00000000-0000-7000-8000-000000000001';
const row = {
  id,
  accountId: id,
  keyId: id,
  videoId: 'manualEn001',
  language: 'en',
  fallback: true,
  format: 'srt',
  state: 'fetching',
  settlement: 'pending',
  price: 1,
  charge: 0,
  transcriptId: null,
  isFallback: null,
  translation: null,
  error: null,
  createdAt: new Date('2026-11-20T12:00:00.000Z'),
};
const delivered = { ...row, state: 'delivered', charge: 1 };
const outcome = { operation: delivered, delivered: null, isReportedToOpener: true } as OperationOutcome;
const LONG_MS = 60_000;

/** A table with one operation, or none, and callers that wait for it. */
const setUp = (found: object | null) => {
  const table = { found, looks: 0 };
  const findUnique = async () => {
    table.looks += 1;
    return table.found;
  };
  const waiters = new OperationWaiters();
  const db = { operation: { findUnique } } as unknown as Database;
  const wait = (given: { waitMs: number; isNew?: boolean }, signal = new AbortController().signal) =>
    awaitOperation({ db, waiters }, { id, ...given }, signal);
  return { table, waiters, wait };
};

describe('whoever waits for an operation', () => {
  it('is answered from memory by the process that ends it, without a look into the table', async () => {
    const { table, waiters, wait } = setUp(row);
    const waiting = wait({ waitMs: LONG_MS, isNew: true });
    waiters.wake(id, outcome);
    expect(await waiting).toBe(outcome);
    expect(table.looks).toBe(0);
  });

  it('looks at once if somebody else has opened it: it may have ended long ago', async () => {
    const { wait } = setUp(delivered);
    expect(await wait({ waitMs: LONG_MS })).toMatchObject({ operation: { charge: 1 }, delivered: null });
  });

  it('looks for itself after a wake-up that says nothing, and waits on while it has not ended', async () => {
    const { table, waiters, wait } = setUp(row);
    const waiting = wait({ waitMs: LONG_MS, isNew: true });
    waiters.wake(id);
    await new Promise(setImmediate);
    expect(table.looks).toBe(1);
    table.found = delivered;
    waiters.wake(id);
    expect(await waiting).toMatchObject({ operation: { state: 'delivered' } });
    expect(table.looks).toBe(2);
  });

  it('does not take an outcome that may not be answered yet: its credit is still to be given back', async () => {
    const { table, waiters, wait } = setUp(row);
    const waiting = wait({ waitMs: LONG_MS, isNew: true });
    waiters.wake(id, { ...outcome, operation: { ...outcome.operation, charge: 0 } });
    await new Promise(setImmediate);
    table.found = delivered;
    waiters.wake(id);
    expect(await waiting).toMatchObject({ operation: { charge: 1 } });
  });

  it('gets it as it is when the wait is over, at once without a wait, and when its own caller has gone', async () => {
    const { wait } = setUp(row);
    for (const waitMs of [0, 1]) {
      expect(await wait({ waitMs, isNew: true })).toMatchObject({ operation: { state: 'fetching' } });
    }
    expect(await wait({ waitMs: LONG_MS }, AbortSignal.abort())).toMatchObject({
      operation: { state: 'fetching' },
    });
  });

  it('learns that there is none', async () => {
    expect(await setUp(null).wait({ waitMs: LONG_MS })).toBeNull();
  });
});

describe('the request that opened an operation', () => {
  it('is known to wait until it has been answered, and for no longer than it said', async () => {
    const { waiters, wait } = setUp(row);
    expect(waiters.willOpenerWait(id, 0)).toBe(false);
    const waiting = wait({ waitMs: LONG_MS, isNew: true });
    expect(waiters.willOpenerWait(id, 1_000)).toBe(true);
    expect(waiters.willOpenerWait(id, LONG_MS)).toBe(false);
    waiters.wake(id, outcome);
    await waiting;
    expect(waiters.willOpenerWait(id, 0)).toBe(false);
  });

  it('is not taken for one that has only joined it', async () => {
    const { waiters, wait } = setUp(row);
    const waiting = wait({ waitMs: LONG_MS });
    expect(waiters.willOpenerWait(id, 0)).toBe(false);
    await new Promise(setImmediate);
    waiters.wake(id, outcome);
    expect(await waiting).toBe(outcome);
  });
});
