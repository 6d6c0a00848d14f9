import { identity, routes } from '@tds/contracts';
import { endedSetCookie } from '../http/session-cookie.ts';
import { callRoute } from './call-route.ts';
import { getAccount } from './get-account.ts';

export const accountRoutes = {
  getAccount,

  closeAccount: callRoute(routes.closeAccount, identity.closeAccount, {
    request: ({ principal: { accountId }, body: { confirm }, clientAddress }) => ({
      accountId,
      confirm,
      clientAddress,
    }),
    body: ({ closedAt }, { principal: { accountId } }) => ({
      account: { id: accountId, status: 'closed', closed_at: closedAt },
    }),
    headers: ({ config }) => ({ 'Set-Cookie': endedSetCookie(config.cookieSecure) }),
  }),
};
