import { identity } from '@tds/contracts';
import { onBroadcast } from '@tds/service-kit';
import type { Deps } from '../deps.ts';

export const keyChanged = onBroadcast(
  identity.keyChanged,
  async ({ principals }: Pick<Deps, 'principals'>, { keyDigest, keyVersion, keyState, dailyCreditCap }) =>
    principals.changeKey(keyDigest, { keyVersion, keyState, dailyCreditCap }),
);
