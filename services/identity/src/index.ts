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
import { createDeps, type Overrides } from './deps.ts';
import { purgeExpired } from './schedules/purge-expired.ts';
import { refreshPrincipals } from './schedules/refresh-principals.ts';
import { surface } from './surface.ts';
import { sendCodeMail } from './tasks/send-code-mail.ts';

/** The service, with stand-ins where a test passes them. */
export const createIdentity = (overrides: Overrides = {}) =>
  defineService({
    surface,
    start: async (kit, environment) => {
      const deps = createDeps(kit, environment, overrides);
      return {
        commands: {
          'request-code': requestCode(deps),
          'verify-code': verifyCode(deps),
          'end-session': endSession(deps),
          'list-sessions': listSessions(deps),
          'end-sessions': endSessions(deps),
          'authenticate-key': authenticateKey(deps),
          'authenticate-session': authenticateSession(deps),
          'list-keys': listKeys(deps),
          'create-key': createKey(deps),
          'update-key': updateKey(deps),
          'revoke-key': revokeKey(deps),
          'rotate-key': rotateKey(deps),
          'get-account': getAccount(deps),
          'close-account': closeAccount(deps),
        },
        tasks: { 'send-code-mail': sendCodeMail(deps) },
        listeners: {},
        watchers: {},
        schedules: {
          'refresh-principals': refreshPrincipals(deps),
          'purge-expired': purgeExpired(deps),
        },
      };
    },
  });

export const identity = createIdentity();
