import {
  type ErrorCode,
  globalLimits,
  newAccountLimits,
  type ServiceError,
  secondsToNextUtcDay,
  serviceError,
  type Tier,
  tierLimits,
} from '@tds/contracts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Cold fetches that may be opened on one UTC day. */
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
  /** The slot of its key; null for what no key asked for: that counts together, as if with one key. */
  readonly limitId: string | null;
  readonly tier: Tier;
  readonly accountCreatedAt: string;
};

type ColdRefusal = ErrorCode & ('account_age_ramp' | 'cold_fetch_cap' | 'free_pool_cap' | 'global_cold_cap');

/** Where a cold fetch counts, and the most that may be counted there on one day. */
export type Scope = { readonly name: string; readonly most: number; readonly refusal: ColdRefusal };

const isNew = ({ accountCreatedAt }: Caller, now: Date, { newForDays }: ColdLimits): boolean =>
  now.getTime() - Date.parse(accountCreatedAt) < newForDays * DAY_MS;

/** In the order in which they are counted and refused: the caller's own first, then those that it shares with others. */
export const scopesOf = (caller: Caller, now: Date, limits: ColdLimits): Scope[] => {
  const { accountId, limitId, tier } = caller;
  const ramp: Scope = {
    name: `account:${accountId}`,
    most: limits.perNewAccount,
    refusal: 'account_age_ramp',
  };
  const freePool: Scope = { name: 'pool:free', most: limits.freePool, refusal: 'free_pool_cap' };
  return [
    ...(isNew(caller, now, limits) ? [ramp] : []),
    { name: `key:${limitId ?? accountId}`, most: limits.perKey[tier], refusal: 'cold_fetch_cap' },
    ...(tier === 'free' ? [freePool] : []),
    { name: 'pool:global', most: limits.global, refusal: 'global_cold_cap' },
  ];
};

const coldFetches = (count: number): string => (count === 1 ? '1 cold fetch' : `${count} cold fetches`);

const messageOf = ({ refusal, most }: Scope): string | undefined => {
  if (refusal === 'account_age_ramp') {
    return `This account is younger than two days and has begun its ${coldFetches(most)} of today. More at 00:00 UTC.`;
  }
  return refusal === 'cold_fetch_cap'
    ? `This key has begun its ${coldFetches(most)} of today. More at 00:00 UTC.`
    : undefined;
};

/** The refusal of a caller where a scope is full. */
export const scopeRefusal = (scopes: readonly Scope[], full: string | null, now: Date): ServiceError => {
  const scope = scopes.find(({ name }) => name === full);
  if (!scope) throw new Error(`nothing is known of the full scope ${full}`);
  const message = messageOf(scope);
  return serviceError(scope.refusal, {
    retryAfterSeconds: secondsToNextUtcDay(now),
    ...(message === undefined ? {} : { message }),
  });
};
