import { identity, routes, serviceError } from '@tds/contracts';
import { callRoute } from './call-route.ts';
import { createKey } from './create-key.ts';
import { askerOf, keyIdOf, toKeyBody } from './key-requests.ts';
import { rotateKey } from './rotate-key.ts';

export const keyRoutes = {
  listKeys: callRoute(routes.listKeys, identity.listKeys, {
    request: ({ principal: { accountId } }) => ({ accountId }),
    body: ({ keys, liveKeys, keyLimit }) => ({
      keys: keys.map(toKeyBody),
      live_keys: liveKeys,
      key_limit: keyLimit,
    }),
  }),

  createKey,

  updateKey: callRoute(routes.updateKey, identity.updateKey, {
    request: (input) => {
      const { name, daily_credit_cap: dailyCreditCap } = input.body;
      if (name === undefined && dailyCreditCap === undefined) throw serviceError('empty_key_update');
      return { ...askerOf(input), keyId: keyIdOf(input), name, dailyCreditCap };
    },
    body: (key) => ({ key: toKeyBody(key) }),
  }),

  revokeKey: callRoute(routes.revokeKey, identity.revokeKey, {
    request: (input) => ({
      ...askerOf(input),
      keyId: keyIdOf(input),
      graceHours: input.body.grace_period_hours,
    }),
    body: (key) => ({ key: toKeyBody(key) }),
  }),

  rotateKey,
};
