import type { identity, OpeningRefusal, ReplyOf } from '@tds/contracts';
import { type ServiceError, serviceError } from '@tds/errors';
import { type Scope, scopeRefusal } from '../credits/index.ts';

export const toRefusal = (
  { data }: ServiceError,
  shortage: Partial<Pick<OpeningRefusal, 'required' | 'available' | 'buyUrl'>> = {},
): OpeningRefusal => ({
  code: data.code as OpeningRefusal['code'],
  message: data.message,
  retryAfterSeconds: data.retryAfterSeconds ?? null,
  required: null,
  available: null,
  buyUrl: null,
  ...shortage,
});

/** Null if jobs of the key may continue. */
export const keyRefusal = ({
  phase,
  accountStatus,
}: ReplyOf<typeof identity.getKeyPhase>): OpeningRefusal | null => {
  if (accountStatus === 'frozen') return toRefusal(serviceError('account_frozen'));
  if (accountStatus === 'closed') return toRefusal(serviceError('account_closed'));
  return phase === 'revoked' ? toRefusal(serviceError('key_revoked')) : null;
};

/** Why a row was not opened: another call for its job is unfinished, or the job was stopped. Any other reason is a full scope. */
export const UNFINISHED = 'opening';
export const STOPPED = 'stopped';

/** The refusal of rows that were not opened; null without one. */
export const rowsRefusal = (
  [first]: readonly { readonly full: string | null }[],
  scopes: readonly Scope[],
  now: Date,
): OpeningRefusal | null => {
  if (!first) return null;
  return toRefusal(
    first.full === STOPPED ? serviceError('job_cancelled') : scopeRefusal(scopes, first.full, now),
  );
};
