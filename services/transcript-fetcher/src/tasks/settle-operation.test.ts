import { serviceError } from '@tds/contracts';
import { LeaseLost, type TaskContext } from '@tds/service-kit';
import { testContext } from '@tds/service-kit/testing';
import { describe, expect, it } from 'vitest';
import { settleOperation } from './settle-operation.ts';

const id = '00000000-0000-7000-8000-000000000001';
const row = {
  ...{ id, accountId: id, keyId: id, videoId: 'manualEn001', language: 'en', fallback: true, format: 'srt' },
  ...{ state: 'delivered', settlement: 'pending', price: 1, charge: 1, transcriptId: id, isFallback: false },
  ...{ translation: 'not_requested', error: null, createdAt: new Date('2026-11-20T12:00:00.000Z') },
};
type Ledger = Readonly<Record<string, object | Error>>;

/** An operation, a ledger that answers each of its commands as given, and a task that may be at its last attempt. */
const setUp = (
  ledger: Ledger,
  { found = row as object | null, isLastAttempt = false, ended = true } = {},
) => {
  const asked: string[] = [];
  const done: string[] = [];
  const ending = new AbortController();
  const note = (what: string) => () => void done.push(what);
  const deps = {
    call: async ({ name }: { name: string }) => {
      asked.push(name);
      const answer = ledger[name];
      if (answer instanceof Error) throw answer;
      return answer;
    },
    db: { operation: { findUnique: async () => found } },
    sql: async (_statement: unknown, values: readonly string[]) => {
      done.push(`ended as ${values[3]}`);
      return ended ? [{ ...row, ...(found ?? {}), settlement: values[3] }] : [];
    },
    messaging: {
      transaction: (_db: object, work: (tx: object) => Promise<void>) =>
        work({ $executeRaw: async () => done.push('parked') }),
      hint: note('told to others'),
    },
    waiters: { wake: note('woken') },
    log: { error: (message: string) => done.push(message) },
  };
  const task = {
    ...testContext({ signal: ending.signal }),
    isLastAttempt,
    completeBy: (statement: (lease: object) => Promise<unknown>) => statement({ id: 'task', epoch: '1' }),
    bury: async (_tx: object, reason: string) => void done.push(`buried: ${reason}`),
  } as unknown as TaskContext;
  const settle = (charge?: number) => settleOperation.run(deps as never, { operationId: id, charge }, task);
  return { asked, done, settle, end: () => ending.abort() };
};
const settled = { outcome: 'settled', balance: null };
const released = { outcome: 'released', balance: null };
const unknown = { outcome: 'unknown', balance: null };
const away = serviceError('service_unavailable');

describe('the credit of a delivery', () => {
  it('is settled, and nobody is told: who waited had its answer before', async () => {
    const { asked, done, settle } = setUp({ settleReservation: settled });
    await settle(1);
    expect([asked, done]).toEqual([['settleReservation'], ['ended as settled']]);
  });

  it('is looked up for a task of a release that did not say it', async () => {
    const { asked, settle } = setUp({ settleReservation: settled });
    await settle();
    expect(asked).toEqual(['settleReservation']);
  });

  it('is nobody`s once its operation has been forgotten', async () => {
    const { asked, done, settle } = setUp({}, { found: null });
    await settle();
    expect([asked, done]).toEqual([[], []]);
  });

  it('is left to another task where it was voided meanwhile', async () => {
    const voided = { ...row, charge: 0 };
    const { asked, done, settle } = setUp({ settleReservation: released }, { found: voided });
    await settle(1);
    expect([asked, done]).toEqual([['settleReservation'], []]);
  });

  it('is charged anew where the ledger has lost its reservation', async () => {
    const { asked, done, settle } = setUp({
      settleReservation: unknown,
      reserveCredits: serviceError('account_frozen'),
    });
    await settle(1);
    expect(asked).toEqual(['settleReservation', 'reserveCredits']);
    expect(done).toEqual(['a delivery cannot be charged any more', 'ended as uncollected']);
  });

  it('is never taken for settled where the ledger gave it back: that is tried again', async () => {
    const { done, settle } = setUp({ settleReservation: released });
    await expect(settle(1)).rejects.toThrow('the ledger answered released for the delivered operation');
    expect(done).toEqual([]);
  });
});

describe('the credit of what costs nothing', () => {
  const free = { ...row, charge: 0 };

  it('is given back, and then everybody is told who waits', async () => {
    const { asked, done, settle } = setUp({ releaseReservation: released }, { found: free });
    await settle(0);
    expect([asked, done]).toEqual([['releaseReservation'], ['ended as released', 'woken', 'told to others']]);
  });

  it('is refunded where it had been settled before it was disowned', async () => {
    const { asked, settle } = setUp({ releaseReservation: settled, refundCharge: { outcome: 'granted' } });
    await settle(0);
    expect(asked).toEqual(['releaseReservation', 'refundCharge']);
  });

  it('is told to nobody by a repeat: whoever resolved it has told them', async () => {
    const { done, settle } = setUp({ releaseReservation: released }, { ended: false });
    await settle(0);
    expect(done).toEqual(['ended as released']);
  });
});

describe('a settlement that fails', () => {
  const broken = new Error('the ledger is broken');

  it('is tried again until its last attempt', async () => {
    const { done, settle } = setUp({ settleReservation: broken });
    await expect(settle(1)).rejects.toBe(broken);
    expect(done).toEqual([]);
  });

  it('is parked then, with its dead letter, and told to people', async () => {
    const { done, settle } = setUp({ settleReservation: broken }, { isLastAttempt: true });
    await settle(1);
    expect(done).toEqual([
      'buried: Error: the ledger is broken',
      'parked',
      'the credit of an operation could not be resolved: it is left to people',
    ]);
  });

  it.each([
    ['the ledger', away],
    ['its own database', Object.assign(new Error('shutting down'), { code: '57P01' })],
  ])('because %s is away ends without a letter: the sweeper begins anew', async (_who, error) => {
    const { done, settle } = setUp({ settleReservation: error }, { isLastAttempt: true });
    await settle(1);
    expect(done).toEqual([]);
  });

  it.each([
    ['somebody else has taken it over', new LeaseLost('task'), false],
    ['the process ends', broken, true],
  ])('because %s is not parked by its last attempt', async (_why, error, isEnding) => {
    const { done, settle, end } = setUp({ settleReservation: error }, { isLastAttempt: true });
    if (isEnding) end();
    await expect(settle(1)).rejects.toBe(error);
    expect(done).toEqual([]);
  });
});
