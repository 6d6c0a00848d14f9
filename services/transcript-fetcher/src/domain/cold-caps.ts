import {
  globalLimits,
  newAccountLimits,
  type ServiceError,
  secondsToNextUtcDay,
  serviceError,
  type Tier,
  tierLimits,
} from '@tds/contracts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Cold fetches that may be begun on one UTC day. */
export type ColdLimits = {
  readonly perKey: Readonly<Record<Tier, number>>;
  readonly perNewAccount: number;
  readonly newForDays: number;
  readonly pools: Readonly<Record<PoolName, number>>;
  /** A process that dies loses the rest of a block until midnight: so little that several may, within one per cent. */
  readonly blocksPerPool: number;
};

export type PoolName = 'free' | 'global';

export const coldLimits: ColdLimits = {
  perKey: { free: tierLimits.free.coldFetchesPerDay, paid: tierLimits.paid.coldFetchesPerDay },
  perNewAccount: newAccountLimits.coldFetchesPerDay,
  newForDays: newAccountLimits.days,
  pools: { free: globalLimits.freePoolColdFetchesPerDay, global: globalLimits.coldFetchesPerDay },
  blocksPerPool: 500,
};

type Caller = {
  readonly accountId: string;
  /** null if no key sent it: what the account does without one counts together, as if with one key. */
  readonly keyId: string | null;
  readonly limitId?: string | undefined;
  readonly tier: Tier;
  readonly accountCreatedAt: string;
};

/** Where a cold fetch counts, and the most that may be counted there on one day. */
export type Scope = {
  readonly name: string;
  readonly most: number;
  readonly refusal: 'account_age_ramp' | 'cold_fetch_cap';
};

const isNew = ({ accountCreatedAt }: Caller, now: Date, { newForDays }: ColdLimits): boolean =>
  now.getTime() - Date.parse(accountCreatedAt) < newForDays * DAY_MS;

/** The caller's own scopes, in the order in which they are counted and refused. */
export const scopesOf = (caller: Caller, now: Date, limits: ColdLimits): Scope[] => {
  const key: Scope = {
    name: `key:${caller.limitId ?? caller.keyId ?? caller.accountId}`,
    most: limits.perKey[caller.tier],
    refusal: 'cold_fetch_cap',
  };
  if (!isNew(caller, now, limits)) return [key];
  const account = `account:${caller.accountId}`;
  return [{ name: account, most: limits.perNewAccount, refusal: 'account_age_ramp' }, key];
};

/** The shared pools that a caller of this tier draws from, in the order in which they are asked. */
export const poolsOf = (tier: Tier): readonly PoolName[] =>
  tier === 'free' ? ['free', 'global'] : ['global'];

/** How many permits of a pool a process takes at once. */
export const blockSize = (pool: PoolName, { pools, blocksPerPool }: ColdLimits): number =>
  Math.max(1, Math.floor(pools[pool] / blocksPerPool));

const coldFetches = (count: number): string => (count === 1 ? '1 cold fetch' : `${count} cold fetches`);

const scopeMessages: Readonly<Record<Scope['refusal'], (most: number) => string>> = {
  account_age_ramp: (most) =>
    `This account is younger than two days and has begun its ${coldFetches(most)} of today. More at 00:00 UTC.`,
  cold_fetch_cap: (most) => `This key has begun its ${coldFetches(most)} of today. More at 00:00 UTC.`,
};

/** The refusal of a caller whose own scope is full. */
export const scopeRefusal = ({ refusal, most }: Scope, now: Date): ServiceError =>
  serviceError(refusal, {
    message: scopeMessages[refusal](most),
    retryAfterSeconds: secondsToNextUtcDay(now),
  });

const poolCodes = { free: 'free_pool_cap', global: 'global_cold_cap' } as const;

/** The refusal of a caller for whom a shared pool has no permit. */
export const poolRefusal = (pool: PoolName, now: Date): ServiceError =>
  serviceError(poolCodes[pool], { retryAfterSeconds: secondsToNextUtcDay(now) });
