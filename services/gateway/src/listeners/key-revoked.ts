import { identity } from '@tds/contracts';
import { onBroadcast } from '@tds/service-kit';
import type { Deps } from '../deps.ts';

export const keyRevoked = onBroadcast(
  identity.keyRevoked,
  async ({ principals }: Pick<Deps, 'principals'>, { keyDigest }) => principals.revoke(keyDigest),
);
