import { type accountClose, identity } from '@tds/contracts';
import type { Call } from '@tds/service-kit';
import type { GatewayConfig } from '../config.ts';
import { jsonAnswer } from '../http/answer.ts';
import { endedSetCookie } from '../http/session-cookie.ts';
import type { Surface } from '../surface.ts';
import type { RouteHandler } from './route-handler.ts';

const OK = 200;

export const closeAccountRoute = (
  call: Call<Surface>,
  { cookieSecure }: Pick<GatewayConfig, 'cookieSecure'>,
): RouteHandler<typeof accountClose> => ({
  async handle({ principal: { accountId }, body: { confirm }, clientAddress, callContext }) {
    const { closedAt } = await call(
      identity.closeAccount,
      { accountId, confirm, clientAddress },
      callContext,
    );
    return jsonAnswer(
      OK,
      { ok: true, account: { id: accountId, status: 'closed', closed_at: closedAt } },
      { headers: ['Set-Cookie', endedSetCookie(cookieSecure)] },
    );
  },
});
