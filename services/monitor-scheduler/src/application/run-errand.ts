import { identity, ServiceError, type Tier } from '@tds/contracts';
import { isServiceAway } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { AWAY_MS } from '../domain/cadence.ts';
import { moment, saveTier } from '../store/accounts.ts';
import { hastenFeedsOfAccount } from '../store/feeds.ts';
import { type DueMonitor, wakeTurnsOfAccount } from '../store/monitor-turns.ts';
import { beginJob, refused } from './begin-job.ts';
import type { CallContext } from './turns.ts';

/**
 * The tier of the account as identity has it, from which its monitors pause or go on. What was asked for later counts, so events about it
 * may be lost, repeated or come in any order: they only give an errand, and each monitor has one a day.
 */
const askTier = async (
  { db, messaging, call }: Deps,
  { account_id: accountId }: DueMonitor,
  context: CallContext,
): Promise<Tier> => {
  const askedAt = await moment(db);
  const { tier } = await call(identity.getKeyStanding, { accountId, keyId: null }, context);
  await messaging.transaction(db, async (tx) => {
    if (!(await saveTier(tx, accountId, { tier, askedAt }))) return;
    await hastenFeedsOfAccount(tx, accountId);
    await wakeTurnsOfAccount(tx, accountId);
  });
  return tier;
};

/** What a monitor needs other services for. Resolves to when it asks again. */
export const runErrand = async (deps: Deps, due: DueMonitor, context: CallContext): Promise<number> => {
  try {
    return await beginJob(deps, due, await askTier(deps, due, context), context);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return isServiceAway(error) ? AWAY_MS : refused(deps, due, error);
  }
};
