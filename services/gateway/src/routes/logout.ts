import { type authLogout, identity } from '@tds/contracts';
import type { Call } from '@tds/service-kit';
import type { GatewayConfig } from '../config.ts';
import { endedSetCookie } from '../http/session-cookie.ts';
import type { Surface } from '../surface.ts';
import type { RouteHandler } from './route-handler.ts';

const NO_CONTENT = 204;

export const logoutRoute = (
  call: Call<Surface>,
  { cookieSecure }: Pick<GatewayConfig, 'cookieSecure'>,
): RouteHandler<typeof authLogout> => ({
  async handle({ credentialDigest, callContext }) {
    await call(identity.endSession, { sessionDigest: credentialDigest }, callContext);
    return { status: NO_CONTENT, headers: ['Set-Cookie', endedSetCookie(cookieSecure)] };
  },
});
