import { bulkOrchestrator, identity } from '@tds/contracts';
import { onBroadcast } from '@tds/kit';
import type { GatewayDeps } from './deps.ts';

export const accountStatusChanged = onBroadcast(
  identity.accountStatusChanged,
  async ({ principals }: Pick<GatewayDeps, 'principals'>, { accountId, status }) =>
    principals.changeStatus(accountId, status),
);

export const accountTierChanged = onBroadcast(
  identity.accountTierChanged,
  async ({ principals }: Pick<GatewayDeps, 'principals'>, { accountId, tier }) =>
    principals.changeTier(accountId, tier),
);

export const jobProgressed = onBroadcast(
  bulkOrchestrator.jobProgressed,
  async ({ jobStreams }: Pick<GatewayDeps, 'jobStreams'>, hint) => jobStreams.hint(hint),
);

export const keyChanged = onBroadcast(
  identity.keyChanged,
  async (
    { principals }: Pick<GatewayDeps, 'principals'>,
    { keyDigest, keyVersion, keyState, dailyCreditCap },
  ) => principals.changeKey(keyDigest, { keyVersion, keyState, dailyCreditCap }),
);

export const keyRevoked = onBroadcast(
  identity.keyRevoked,
  async ({ principals, jobStreams }: Pick<GatewayDeps, 'principals' | 'jobStreams'>, { keyDigest, keyId }) => {
    principals.revoke(keyDigest);
    jobStreams.endForKey(keyId);
  },
);
