import {
  accountCreated,
  accountStatusChanged,
  authenticateKey,
  authenticateSession,
  defineSurface,
  endSession,
  keyRevoked,
  principals,
  principalsFresh,
  requestCode,
  sendCodeMail,
  verifyCode,
} from '@tds/contracts';
import type { Handlers } from '@tds/service-kit';

export const surface = defineSurface({
  name: 'identity',
  answers: [requestCode, verifyCode, endSession, authenticateKey, authenticateSession],
  does: [sendCodeMail],
  emits: [accountCreated, accountStatusChanged, keyRevoked],
  projects: [principals, principalsFresh],
  wakes: {
    'refresh-principals': { everySeconds: 5 },
    'purge-expired': { everySeconds: 3_600 },
  },
});

export type Surface = typeof surface;
export type IdentityHandlers = Handlers<Surface>;
