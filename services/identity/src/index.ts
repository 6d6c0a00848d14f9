import { defineService } from '@tds/service-kit';
import { authenticateKey } from './commands/authenticate-key.ts';
import { authenticateSession } from './commands/authenticate-session.ts';
import { closeAccount } from './commands/close-account.ts';
import { createKey } from './commands/create-key.ts';
import { endSession } from './commands/end-session.ts';
import { endSessions } from './commands/end-sessions.ts';
import { getAccount } from './commands/get-account.ts';
import { listKeys } from './commands/list-keys.ts';
import { listSessions } from './commands/list-sessions.ts';
import { requestCode } from './commands/request-code.ts';
import { revokeKey } from './commands/revoke-key.ts';
import { rotateKey } from './commands/rotate-key.ts';
import { updateKey } from './commands/update-key.ts';
import { verifyCode } from './commands/verify-code.ts';
import { createDeps } from './deps.ts';
import { purgeExpired } from './schedules/purge-expired.ts';
import { refreshPrincipals } from './schedules/refresh-principals.ts';
import { surface } from './surface.ts';
import { sendCodeMail } from './tasks/send-code-mail.ts';

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
    getAccount,
    closeAccount,
  },
  tasks: { sendCodeMail },
  schedules: { refreshPrincipals, purgeExpired },
});
