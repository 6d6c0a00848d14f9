import { bulkOrchestrator, identity } from '@tds/contracts';
import { onBroadcast } from '@tds/kit';
import type { GatewayDeps } from './deps.ts';

export const accountStatusChanged = onBroadcast(
  identity.accountStatusChanged,
  async ({ principals }: GatewayDeps, { accountId, status }) => principals.changeAccount(accountId, { status }),
);

export const accountTierChanged = onBroadcast(
  identity.accountTierChanged,
  async ({ principals }: GatewayDeps, { accountId, tier }) => principals.changeAccount(accountId, { tier }),
);

export const jobProgressed = onBroadcast(
  bulkOrchestrator.jobProgressed,
  async ({ jobStreams }: GatewayDeps, hint) => jobStreams.hint(hint),
);

export const keyChanged = onBroadcast(
  identity.keyChanged,
  async ({ principals }: GatewayDeps, { keyDigest, keyVersion, keyState, dailyCreditCap, scopes }) =>
    principals.changeKey(keyDigest, { keyVersion, keyState, dailyCreditCap, scopes }),
);

export const keyRevoked = onBroadcast(
  identity.keyRevoked,
  async ({ principals, jobStreams }: GatewayDeps, { keyDigest, keyId }) => {
    principals.revoke(keyDigest);
    jobStreams.endForKey(keyId);
  },
);
