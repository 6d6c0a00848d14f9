import { bulkOrchestrator, identity } from '@tds/contracts';
import { onBroadcast } from '@tds/kit';
import type { Deps } from './deps.ts';

export const accountStatusChanged = onBroadcast(
  identity.accountStatusChanged,
  async ({ principals }: Pick<Deps, 'principals'>, { accountId, status }) =>
    principals.changeStatus(accountId, status),
);

export const accountTierChanged = onBroadcast(
  identity.accountTierChanged,
  async ({ principals }: Pick<Deps, 'principals'>, { accountId, tier }) =>
    principals.changeTier(accountId, tier),
);

export const jobProgressed = onBroadcast(
  bulkOrchestrator.jobProgressed,
  async ({ jobStreams }: Pick<Deps, 'jobStreams'>, hint) => jobStreams.hint(hint),
);

export const keyChanged = onBroadcast(
  identity.keyChanged,
  async ({ principals }: Pick<Deps, 'principals'>, { keyDigest, keyVersion, keyState, dailyCreditCap }) =>
    principals.changeKey(keyDigest, { keyVersion, keyState, dailyCreditCap }),
);

export const keyRevoked = onBroadcast(
  identity.keyRevoked,
  async ({ principals, jobStreams }: Pick<Deps, 'principals' | 'jobStreams'>, { keyDigest, keyId }) => {
    principals.revoke(keyDigest);
    jobStreams.endForKey(keyId);
  },
);
