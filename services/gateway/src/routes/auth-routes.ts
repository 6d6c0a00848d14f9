import { identity, routes } from '@tds/contracts';
import { endedSetCookie } from '../http/session-cookie.ts';
import { callRoute } from './call-route.ts';
import { verifyCode } from './verify-code.ts';

const codeSent = 'If this address can sign in, a six-digit code is on its way. It is valid for ten minutes.';

export const authRoutes = {
  requestCode: callRoute(routes.requestCode, identity.requestCode, {
    request: ({ body: { email }, clientAddress, device }) => ({ email, clientAddress, device }),
    body: () => ({ message: codeSent }),
  }),

  verifyCode,

  logout: callRoute(routes.logout, identity.endSession, {
    request: ({ credentialDigest }) => ({ sessionDigest: credentialDigest }),
    headers: ({ config }) => ({ 'Set-Cookie': endedSetCookie(config.cookieSecure) }),
  }),
};
