import type { GatewayConfig } from '../config.ts';
import type { Deps } from '../deps.ts';
import { closeAccountRoute } from './close-account.ts';
import { createKeyRoute } from './create-key.ts';
import { getAccountRoute } from './get-account.ts';
import { createKeySecrets } from './key-secrets.ts';
import { listKeysRoute } from './list-keys.ts';
import { revokeKeyRoute } from './revoke-key.ts';
import { rotateKeyRoute } from './rotate-key.ts';
import type { RouteHandlers } from './route-handler.ts';
import { endOtherSessionsRoute, endSessionRoute, listSessionsRoute } from './session-routes.ts';
import { updateKeyRoute } from './update-key.ts';

type AccountRoutes =
  | 'listKeys'
  | 'createKey'
  | 'updateKey'
  | 'revokeKey'
  | 'rotateKey'
  | 'listSessions'
  | 'endOtherSessions'
  | 'endSession'
  | 'getAccount'
  | 'closeAccount';

/** What a customer does with the account itself. */
export const accountHandlers = (
  { call, usage, now }: Pick<Deps, 'call' | 'usage' | 'now'>,
  config: Pick<GatewayConfig, 'cookieSecure' | 'replaySecret'>,
): Pick<RouteHandlers, AccountRoutes> => {
  const newSecrets = createKeySecrets(config.replaySecret.reveal());
  return {
    listKeys: listKeysRoute(call),
    createKey: createKeyRoute(call, newSecrets),
    updateKey: updateKeyRoute(call),
    revokeKey: revokeKeyRoute(call),
    rotateKey: rotateKeyRoute(call, newSecrets),
    listSessions: listSessionsRoute(call),
    endOtherSessions: endOtherSessionsRoute(call),
    endSession: endSessionRoute(call),
    getAccount: getAccountRoute({ call, usage, now }),
    closeAccount: closeAccountRoute(call, config),
  };
};
