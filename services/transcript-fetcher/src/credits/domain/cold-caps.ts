import { globalLimits, newAccountLimits, secondsToNextUtcDay, type Tier, tierLimits } from '@tds/contracts';
import { type ErrorCode, type ServiceError, serviceError } from '@tds/errors';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Limits of cold fetches per UTC day. */
export type ColdLimits = {
  readonly perKey: Readonly<Record<Tier, number>>;
  readonly perNewAccount: number;
  readonly newForDays: number;
  readonly freePool: number;
  readonly global: number;
};

export const coldLimits: ColdLimits = {
  perKey: { free: tierLimits.free.coldFetchesPerDay, paid: tierLimits.paid.coldFetchesPerDay },
  perNewAccount: newAccountLimits.coldFetchesPerDay,
  newForDays: newAccountLimits.days,
  freePool: globalLimits.freePoolColdFetchesPerDay,
  global: globalLimits.coldFetchesPerDay,
};

export type Caller = {
  readonly accountId: string;
  /** The slot of its key; null without a key: such requests of an account count together, as one key. */
  readonly limitId: string | null;
  readonly tier: Tier;
  readonly accountCreatedAt: string;
};

type ColdRefusal = ErrorCode &
  ('account_age_ramp' | 'cold_fetch_cap' | 'free_pool_cap' | 'global_cold_cap' | 'video_languages_cap');

/** A counter of cold fetches and its daily limit. */
export type Scope = { readonly name: string; readonly limit: number; readonly refusal: ColdRefusal };

const isNew = (
  { accountCreatedAt }: Pick<Caller, 'accountCreatedAt'>,
  now: Date,
  { newForDays }: ColdLimits,
): boolean => now.getTime() - Date.parse(accountCreatedAt) < newForDays * DAY_MS;

const freePool = ({ freePool: limit }: ColdLimits): Scope => ({
  ...{ name: 'pool:free', limit, refusal: 'free_pool_cap' },
});

/** Of a free account's question that costs a request to the platform: as many a day as transcripts, apart from these, and in the free pool. */
export const questionScopes = (
  caller: Pick<Caller, 'accountId' | 'accountCreatedAt'>,
  now: Date,
  limits: ColdLimits,
): Scope[] => {
  const limit = isNew(caller, now, limits) ? limits.perNewAccount : limits.perKey.free;
  return [{ name: `questions:${caller.accountId}`, limit, refusal: 'video_languages_cap' }, freePool(limits)];
};

/** In the order of counting and refusal: the caller's own scopes, then the shared ones. */
export const buildScopes = (caller: Caller, now: Date, limits: ColdLimits): Scope[] => {
  const { accountId, limitId, tier } = caller;
  const ramp: Scope = {
    name: `account:${accountId}`,
    limit: limits.perNewAccount,
    refusal: 'account_age_ramp',
  };
  return [
    ...(isNew(caller, now, limits) ? [ramp] : []),
    { name: `key:${limitId ?? accountId}`, limit: limits.perKey[tier], refusal: 'cold_fetch_cap' },
    ...(tier === 'free' ? [freePool(limits)] : []),
    { name: 'pool:global', limit: limits.global, refusal: 'global_cold_cap' },
  ];
};

const newTranscripts = (count: number): string =>
  count === 1 ? '1 new transcript' : `${count} new transcripts`;

const buildMessage = ({ refusal, limit }: Scope): string | undefined => {
  if (refusal === 'account_age_ramp') {
    return `This account is younger than two days and has begun its ${newTranscripts(limit)} of today. More at 00:00 UTC.`;
  }
  return refusal === 'cold_fetch_cap'
    ? `This key has begun its ${newTranscripts(limit)} of today. More at 00:00 UTC.`
    : undefined;
};

/** The refusal for a full scope. */
export const scopeRefusal = (scopes: readonly Scope[], full: string | null, now: Date): ServiceError => {
  const scope = scopes.find(({ name }) => name === full);
  if (!scope) throw new Error(`unknown scope ${full}`);
  const message = buildMessage(scope);
  return serviceError(scope.refusal, {
    retryAfterSeconds: secondsToNextUtcDay(now),
    ...(message === undefined ? {} : { message }),
  });
};
