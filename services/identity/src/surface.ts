import {
  accountCreated,
  accountStatusChanged,
  authenticateKey,
  authenticateSession,
  closeAccount,
  createKey,
  defineSurface,
  endSession,
  endSessions,
  getAccount,
  keyChanged,
  keyRevoked,
  listKeys,
  listSessions,
  principals,
  principalsFresh,
  requestCode,
  revokeKey,
  rotateKey,
  sendCodeMail,
  updateKey,
  verifyCode,
} from '@tds/contracts';
import type { Handlers } from '@tds/service-kit';

export const surface = defineSurface({
  name: 'identity',
  answers: [
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
  ],
  does: [sendCodeMail],
  emits: [accountCreated, accountStatusChanged, keyChanged, keyRevoked],
  projects: [principals, principalsFresh],
  wakes: {
    'refresh-principals': { everySeconds: 5 },
    'purge-expired': { everySeconds: 3_600 },
  },
});

export type Surface = typeof surface;
export type IdentityHandlers = Handlers<Surface>;
