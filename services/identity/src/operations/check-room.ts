import type { ServiceError, Tier } from '@tds/contracts';
import type { KeyEnd } from '../domain/api-key.ts';
import { NEW_KEYS_PER_DAY, refusedPace } from '../domain/key-limit.ts';
import { findNthNewestKey, findWorkingKeys } from '../store/account-keys.ts';
import type { Db } from '../store/prisma-client.ts';

type Rule = (keys: readonly KeyEnd[], tier: Tier, now: Date) => ServiceError | null;
type Room = { readonly accountId: string; readonly tier: Tier; readonly now: Date };

/** Throws `key_limit` where the rule or the pace of new keys forbids one more. The caller holds the account locked. */
export const checkRoom = async (tx: Db, { accountId, tier, now }: Room, rule: Rule): Promise<void> => {
  const refusal =
    rule(await findWorkingKeys(tx, accountId, now), tier, now) ??
    refusedPace(await findNthNewestKey(tx, accountId, NEW_KEYS_PER_DAY), now);
  if (refusal) throw refusal;
};
