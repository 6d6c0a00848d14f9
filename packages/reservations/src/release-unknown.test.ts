import { creditsLedger, type OpenReservation } from '@tds/contracts';
import { testContext } from '@tds/service-kit/testing';
import { describe, expect, it } from 'vitest';
import { type Holder, releaseUnknown } from './release-unknown.ts';

const PAGE = 3;
const refs = Array.from({ length: 10 }, (_, index) => `ref-${index}`);

/** A ledger that holds all refs, gives them page by page, and refuses to release some. */
const ledgerOf = ({ refuses = [] as readonly string[], isAway = false } = {}) => {
  const released: string[] = [];
  const asked: object[] = [];
  const call = async (command: object, request: never) => {
    if (command === creditsLedger.listOpenReservations) {
      asked.push(request);
      if (isAway) throw new Error('away');
      const { after } = request as { after: OpenReservation | null };
      const rest = refs.filter((ref) => ref > (after?.ref ?? ''));
      return { rows: rest.slice(0, PAGE).map((ref) => ({ ref, createdAt: '2026-11-20T00:00:00.000Z' })) };
    }
    const { ref } = request as { ref: string };
    if (refuses.includes(ref)) throw new Error(`cannot release ${ref}`);
    released.push(ref);
    return { outcome: 'released', balance: null };
  };
  return { call: call as unknown as Holder['call'], released, asked };
};

const said: object[] = [];
const log = {
  warn: (_message: string, fields: object) => void said.push(fields),
} as unknown as Holder['log'];

const release = (ledger: Pick<Holder, 'call'>, known: readonly string[] = [], context = testContext()) =>
  releaseUnknown(
    { ...ledger, log, reason: 'work', olderThanMs: 600_000, known: async () => new Set(known) },
    context,
  );

describe('what the ledger holds for work that nobody knows', () => {
  it('is given back on every page, and nothing else', async () => {
    const ledger = ledgerOf();
    await release(ledger, ['ref-1', 'ref-9']);
    expect(ledger.released).toEqual(refs.filter((ref) => !['ref-1', 'ref-9'].includes(ref)));
    expect(ledger.asked[0]).toMatchObject({ reason: 'work', olderThanMs: 600_000, after: null });
    expect(said.at(-1)).toEqual({ reason: 'work', released: 8 });
  });

  it('is given back behind one that cannot be, and the failure is told in the end', async () => {
    const ledger = ledgerOf({ refuses: ['ref-0', 'ref-4'] });
    await expect(release(ledger)).rejects.toThrow('2 pages of a walk failed');
    expect(ledger.released).toEqual(refs.filter((ref) => !['ref-0', 'ref-4'].includes(ref)));
  });

  it('waits for the next run where the ledger does not tell, or the run is over', async () => {
    await expect(release(ledgerOf({ isAway: true }))).rejects.toThrow('away');
    const ledger = ledgerOf();
    await release(ledger, [], testContext({ signal: AbortSignal.abort() }));
    expect(ledger.asked).toEqual([]);
  });
});
