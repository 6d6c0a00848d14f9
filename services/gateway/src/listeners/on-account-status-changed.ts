import type { accountStatusChanged, PayloadOf } from '@tds/contracts';
import type { PrincipalMemory } from '../principals/principal-memory.ts';

export const onAccountStatusChanged =
  (memory: PrincipalMemory) =>
  async ({ accountId, status }: PayloadOf<typeof accountStatusChanged>): Promise<void> =>
    memory.changeStatus(accountId, status);
