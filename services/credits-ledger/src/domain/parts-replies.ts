import type { creditsLedger, ReplyOf, RequestOf } from '@tds/contracts';
import type { PartsAnswer, ReserveOutcome, ResolveOutcome } from './ledger-answer.ts';
import { reserveReply, resolveReply } from './replies.ts';

type Hold = Pick<RequestOf<typeof creditsLedger.reserveInParts>, 'ref' | 'unit' | 'parts'>;

/** Throws what `reserveReply` throws; what is missing is told of the whole job. */
export const reserveInPartsReply = (
  { ref, unit, parts }: Hold,
  answer: PartsAnswer<ReserveOutcome>,
  buyUrl: string,
  now: Date,
): ReplyOf<typeof creditsLedger.reserveInParts> => {
  const { charged, remaining } = answer;
  return { ...reserveReply({ ref, amount: unit * parts }, answer, buyUrl, now), charged, remaining };
};

/** Throws `service_unavailable` for a locked account. */
export const settlePartsReply = (
  ref: string,
  answer: PartsAnswer<ResolveOutcome | 'conflict'>,
): ReplyOf<typeof creditsLedger.settleParts> => {
  const { charged, remaining } = answer;
  return { ...resolveReply(ref, answer), charged, remaining };
};
