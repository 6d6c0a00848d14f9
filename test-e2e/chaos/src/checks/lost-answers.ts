import type { Lost } from '../harness.ts';
import type { CallRecord, History } from '../history.ts';

/** What was stored may have been lost: a cached read fetched it again, and cost a credit. */
const kindOf = ({ kind, charged }: CallRecord) => (kind === 'cached' && charged > 0 ? 'cold' : kind);

/** As if no answer had come to what a restore of everything has lost: any outcome is right, and no account was promised. */
export const withoutLost = <Seen extends Pick<History, 'calls' | 'kept'>>(
  history: Seen,
  lost: Lost | null,
): Seen => {
  if (lost === null) return history;
  const isLost = ({ at, ms }: CallRecord): boolean => at < lost.until && at + ms > lost.from;
  const { calls, kept } = history;
  const verified = calls.filter((call) => call.kind === 'verify' && isLost(call));
  const emails = new Set(verified.map(({ about }) => about));
  return {
    ...history,
    calls: calls.map((call) =>
      isLost(call) ? { ...call, kind: kindOf(call), outcome: 'unknown', status: null, charged: 0 } : call,
    ),
    kept: kept.filter((each) => each.type !== 'account' || !emails.has(each.email)),
  };
};
