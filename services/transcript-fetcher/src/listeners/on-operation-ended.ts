import type { operationEnded, PayloadOf } from '@tds/contracts';
import type { Deps } from '../deps.ts';

/** Another instance may have ended what a caller of this one waits for. */
export const onOperationEnded =
  ({ waiters }: Deps) =>
  async ({ operationId }: PayloadOf<typeof operationEnded>): Promise<void> =>
    waiters.wake(operationId);
