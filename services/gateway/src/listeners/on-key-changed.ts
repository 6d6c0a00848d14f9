import type { keyChanged, PayloadOf } from '@tds/contracts';
import type { PrincipalMemory } from '../principals/principal-memory.ts';

export const onKeyChanged =
  (memory: PrincipalMemory) =>
  async ({ keyDigest, keyVersion, keyState, dailyCreditCap }: PayloadOf<typeof keyChanged>): Promise<void> =>
    memory.changeKey(keyDigest, { keyVersion, keyState, dailyCreditCap });
