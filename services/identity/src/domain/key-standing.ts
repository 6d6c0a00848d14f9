import type { KeyStanding } from '@tds/contracts';
import { statusOf } from './api-key.ts';

type KeyEnd = { readonly revokeAt: Date | null; readonly endedAtOnce: boolean };

/** What becomes of the work that a key began; null is a key that the account never had. */
export const standingOf = (key: KeyEnd | null, now: Date): KeyStanding => {
  if (key === null || key.endedAtOnce) return 'revoked';
  const status = statusOf(key, now);
  if (status === 'active') return 'active';
  return status === 'revoking' ? 'ending' : 'retired';
};
