import { type authLogout, endSession } from '@tds/contracts';
import type { Call } from '@tds/service-kit';
import type { GatewayConfig } from '../config.ts';
import { endedSetCookie } from '../http/session-cookie.ts';
import type { GatewaySurface } from '../surface.ts';
import type { RouteHandler } from './route-handler.ts';

const NO_CONTENT = 204;

export const logoutRoute = (
  call: Call<GatewaySurface>,
  { cookieSecure }: Pick<GatewayConfig, 'cookieSecure'>,
): RouteHandler<typeof authLogout> => ({
  async handle({ credentialDigest, callContext }) {
    await call(endSession, { sessionDigest: credentialDigest }, callContext);
    return { status: NO_CONTENT, headers: ['Set-Cookie', endedSetCookie(cookieSecure)] };
  },
});
