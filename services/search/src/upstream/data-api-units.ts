import { secondsToNextUtcDay, type Tier } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import type { Database } from '../store/database.ts';
import { type Allowance, readDayCounts, releaseOfDay, takeOfDay } from '../store/day-counts.ts';

const SCOPE = 'data_api_units';

export type Units = {
  /** For all accounts together. */
  readonly dataApiUnitsPerDay: number;
  /** For all free accounts together. */
  readonly freeDataApiUnitsPerDay: number;
  readonly dataApiUnitsPerAccount: number;
};

/** The account whose units are spent. */
export type Payer = { readonly accountId: string; readonly tier: Tier };

/** Calls to the Data API carry one word for the payer, by which units are counted. */
export const toPayerId = ({ accountId, tier }: Payer): string => `${tier}:${accountId}`;

type Share = Allowance & { readonly refusal?: string };

const listShares = (units: Units, payerId: string | null): readonly Share[] => {
  const [tier, accountId] = payerId?.split(':') ?? [];
  const own: Share = {
    scope: `${SCOPE}:${accountId}`,
    limit: units.dataApiUnitsPerAccount,
    refusal: "This account's share of today's platform API units is used up. More at 00:00 UTC.",
  };
  const pool: Share = {
    scope: `${SCOPE}:free`,
    limit: units.freeDataApiUnitsPerDay,
    refusal:
      "Today's platform API units of all free accounts together are used up. More at 00:00 UTC; accounts that have bought credits go on.",
  };
  const all: Share = { scope: SCOPE, limit: units.dataApiUnitsPerDay };
  return [...(accountId ? [own] : []), ...(tier === 'free' ? [pool] : []), all];
};

/**
 * Counts a unit of the Data API before it is spent: for the account, for the free accounts, and for all. So one account, or the free ones
 * together, cannot use up the units of the others. Throws `data_api_unit_cap`.
 */
export const takeDataApiUnit = async (db: Database, units: Units, payerId: string | null, now: Date) => {
  const takenShares: Share[] = [];
  for (const share of listShares(units, payerId)) {
    if (await takeOfDay(db, share, now)) {
      takenShares.push(share);
      continue;
    }
    for (const { scope } of takenShares) await releaseOfDay(db, scope, now);
    throw serviceError('data_api_unit_cap', {
      ...(share.refusal && { message: share.refusal }),
      retryAfterSeconds: secondsToNextUtcDay(now),
    });
  }
};

/** Whether an account has a unit left. */
export const hasDataApiUnit = async (db: Database, units: Units, payer: Payer, now: Date): Promise<boolean> => {
  const shares = listShares(units, toPayerId(payer));
  const usage = await readDayCounts(
    db,
    shares.map(({ scope }) => scope),
    now,
  );
  return shares.every(({ scope, limit }) => (usage.get(scope) ?? 0) < limit);
};
