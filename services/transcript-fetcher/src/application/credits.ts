import { CREDITS_PER_TRANSCRIPT, creditsLedger, type ReplyOf, type RequestOf } from '@tds/contracts';
import type { Context } from '@tds/service-kit';
import type { Deps } from '../deps.ts';

export const TRANSCRIPT_REASON = 'transcript';
/** What one row costs that has to be fetched. */
export const CREDITS_PER_ROW = CREDITS_PER_TRANSCRIPT;

export type Reserved = ReplyOf<typeof creditsLedger.reserveParts>;
type Reserving = Pick<
  RequestOf<typeof creditsLedger.reserveParts>,
  'parts' | 'coverage' | 'subject' | 'limitId' | 'dailyCreditCap'
>;

type Payer = {
  readonly ref: string;
  readonly accountId: string;
  readonly keyId: string | null;
  /** The job; null for a read. */
  readonly lineId: string | null;
  readonly requestId: string;
};

export const holdFor = ({ lineId, ...payer }: Payer) => ({
  ...payer,
  reason: TRANSCRIPT_REASON,
  jobId: lineId,
});

/** Holds the credits of these parts, as many as fit and in their order, or all that the key's cap leaves. Asked again under the same ref it changes nothing. */
export const reserveParts = (
  { call }: Pick<Deps, 'call'>,
  payer: Payer,
  asked: Reserving,
  context: Pick<Context, 'requestId' | 'accountId' | 'signal'>,
): Promise<Reserved> =>
  call(creditsLedger.reserveParts, { ...holdFor(payer), ...asked, unit: CREDITS_PER_ROW }, context);
