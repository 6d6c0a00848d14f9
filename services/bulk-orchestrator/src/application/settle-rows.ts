import { type BatchOutcome, creditsLedger } from '@tds/contracts';
import type { Context } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import type { RowInHand } from '../domain/outcomes.ts';
import { abandonRound, partsToDo, refsOf } from '../store/rounds.ts';

export type Ended = { readonly row: RowInHand; readonly outcome: BatchOutcome };
type CallContext = Pick<Context, 'requestId' | 'accountId' | 'signal'>;

const isOwed = ({ outcome, row }: Ended): boolean =>
  outcome.state === 'delivered' && outcome.charge > 0 && row.part !== null;

/** Charges these parts of one reservation; resolves to those that are charged now, by this call or an earlier one. */
export const settle = async (
  { kit }: Pick<Deps, 'kit'>,
  ref: string,
  parts: readonly number[],
  context: CallContext,
): Promise<{ readonly charged: ReadonlySet<number>; readonly isGone: boolean }> => {
  const { outcome, charged } = await kit.call(creditsLedger.settleParts, { ref, parts: [...parts] }, context);
  return { charged: new Set(charged), isGone: outcome !== 'settled' };
};

/** The ledger says which rows a reservation that is gone has paid: nothing is charged to it any more. */
const abandon = async (
  deps: Pick<Deps, 'kit' | 'db'>,
  round: { readonly jobId: string; readonly round: number; readonly ref: string },
  context: CallContext,
): Promise<void> => {
  const parts = await partsToDo(deps.db, round);
  if (parts.length === 0) return;
  const { charged } = await settle(deps, round.ref, parts, context);
  await deps.kit.messaging.transaction(deps.db, (tx) => abandonRound(tx, round, [...charged]));
};

/**
 * Charges what rows owe. Resolves to the operations that are paid, and whether a reservation proved to be gone: then the rows that
 * were to be paid by it need another one.
 */
export const settleRows = async (
  deps: Pick<Deps, 'kit' | 'db'>,
  jobId: string,
  ended: readonly Ended[],
  context: CallContext,
): Promise<{ readonly paid: ReadonlySet<string>; readonly isGone: boolean }> => {
  const byRound = Map.groupBy(ended.filter(isOwed), ({ row }) => row.round as number);
  const paid = new Set<string>();
  if (byRound.size === 0) return { paid, isGone: false };
  const refs = await refsOf(deps.db, jobId, [...byRound.keys()]);
  let isGone = false;
  for (const [round, owed] of byRound) {
    const parts = owed.map(({ row }) => row.part as number);
    const ref = refs.get(round) as string;
    const settled = await settle(deps, ref, parts, context);
    for (const { row } of owed) if (settled.charged.has(row.part as number)) paid.add(row.operationId);
    if (settled.isGone && owed.some(({ row }) => !paid.has(row.operationId))) {
      await abandon(deps, { jobId, round, ref }, context);
      isGone = true;
    }
  }
  return { paid, isGone };
};
