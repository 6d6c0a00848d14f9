import type { Seals } from '@tds/service-kit';
import { LRUCache } from 'lru-cache';
import { type SigningKeys, signingKeysOf } from '../domain/signature.ts';

const MOST_OPEN = 1_000;

/** Opens the secrets of webhooks. Those that were used last stay open in memory: opening one costs more than signing with it. */
export const createSigningKeys = (seals: Pick<Seals, 'open'>) => {
  const opened = new LRUCache<string, SigningKeys>({ max: MOST_OPEN });
  return (sealedSecret: string, accountId: string): SigningKeys => {
    const owned = `${accountId} ${sealedSecret}`;
    const keys = opened.get(owned) ?? signingKeysOf(seals.open(sealedSecret, accountId));
    opened.set(owned, keys);
    return keys;
  };
};
