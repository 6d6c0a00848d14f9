import { identity, type Notice, type PayloadOf } from '@tds/contracts';
import { onEvent } from '@tds/service-kit';
import { notifyOnce } from '../application/notify.ts';
import type { Deps } from '../deps.ts';

const noticeOf = ({
  status,
  frozenReason: reason,
}: PayloadOf<typeof identity.accountStatusChanged>): Notice | null => {
  if (status === 'active') return { kind: 'account_active' };
  return status === 'frozen' && reason !== undefined ? { kind: 'account_frozen', reason } : null;
};

/** An operator's command changes the status, too, and takes no tasks: so the mail follows the event. */
export const accountStatusChanged = onEvent(
  identity.accountStatusChanged,
  (deps: Pick<Deps, 'db' | 'messaging'>, changed, context) =>
    notifyOnce(deps, { accountId: changed.accountId, read: async () => noticeOf(changed) }, context),
);
