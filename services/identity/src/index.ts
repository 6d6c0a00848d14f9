import { identity } from '@tds/contracts';
import { defineService, onEvent } from '@tds/service-kit';
import {
  retakeAccountStatus,
  retakeKeyChanged,
  retakeKeyRevoked,
  retakeSessionsEnded,
} from './application/retake-lost-events.ts';
import { admitAddress } from './commands/admit-address.ts';
import { authenticateKey } from './commands/authenticate-key.ts';
import { authenticateSession } from './commands/authenticate-session.ts';
import { closeAccount } from './commands/close-account.ts';
import { createKey } from './commands/create-key.ts';
import { endSession } from './commands/end-session.ts';
import { endSessions } from './commands/end-sessions.ts';
import { getAccount } from './commands/get-account.ts';
import { getKeyStanding } from './commands/get-key-standing.ts';
import { isAddressClosed } from './commands/is-address-closed.ts';
import { listKeys } from './commands/list-keys.ts';
import { listSessions } from './commands/list-sessions.ts';
import { listSlotKeys } from './commands/list-slot-keys.ts';
import { requestCode } from './commands/request-code.ts';
import { revokeKey } from './commands/revoke-key.ts';
import { rotateKey } from './commands/rotate-key.ts';
import { spellAddress } from './commands/spell-address.ts';
import { updateKey } from './commands/update-key.ts';
import { verifyCode } from './commands/verify-code.ts';
import { createDeps } from './create-deps.ts';
import type { Deps } from './deps.ts';
import { accountStatusChanged } from './listeners/account-status-changed.ts';
import { accountTierChanged } from './listeners/account-tier-changed.ts';
import { customerChanged } from './listeners/customer-changed.ts';
import { keyCreated } from './listeners/key-created.ts';
import { webhookChanged } from './listeners/webhook-changed.ts';
import { webhookDisabled } from './listeners/webhook-disabled.ts';
import { purgeExpired } from './schedules/purge-expired.ts';
import { refreshPrincipals } from './schedules/refresh-principals.ts';
import { tellEndedKeys } from './schedules/tell-ended-keys.ts';
import { surface } from './surface.ts';
import { sendCodeMail } from './tasks/send-code-mail.ts';
import { sendNotice } from './tasks/send-notice.ts';
import { sendWebhookNotice } from './tasks/send-webhook-notice.ts';

export const service = defineService({
  surface,
  createDeps,
  commands: {
    requestCode,
    verifyCode,
    endSession,
    listSessions,
    endSessions,
    authenticateKey,
    authenticateSession,
    listKeys,
    createKey,
    updateKey,
    revokeKey,
    rotateKey,
    getKeyStanding,
    listSlotKeys,
    getAccount,
    closeAccount,
    spellAddress,
    admitAddress,
    isAddressClosed,
  },
  tasks: { sendCodeMail, sendNotice, sendWebhookNotice },
  subscriptions: {
    accountStatusChanged,
    accountTierChanged,
    customerChanged,
    keyCreated,
    webhookChanged,
    webhookDisabled,
  },
  onOwnLostEvents: {
    keyRevoked: onEvent(identity.keyRevoked, (deps: Deps, told, { requestId }) =>
      retakeKeyRevoked(deps, told, requestId),
    ),
    keyChanged: onEvent(identity.keyChanged, (deps: Deps, told) => retakeKeyChanged(deps, told)),
    sessionsEnded: onEvent(identity.sessionsEnded, (deps: Deps, told) => retakeSessionsEnded(deps, told)),
    accountStatusChanged: onEvent(identity.accountStatusChanged, (deps: Deps, told, { requestId }) =>
      retakeAccountStatus(deps, told, requestId),
    ),
  },
  schedules: { refreshPrincipals, tellEndedKeys, purgeExpired },
});
