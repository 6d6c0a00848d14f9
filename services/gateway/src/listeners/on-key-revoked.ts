import type { keyRevoked, PayloadOf } from '@tds/contracts';
import type { PrincipalMemory } from '../principals/principal-memory.ts';

export const onKeyRevoked =
  (memory: PrincipalMemory) =>
  async ({ keyDigest }: PayloadOf<typeof keyRevoked>): Promise<void> =>
    memory.revoke(keyDigest);
