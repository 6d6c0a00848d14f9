import { identity, type keysList } from '@tds/contracts';
import type { Call } from '@tds/service-kit';
import { jsonAnswer } from '../http/answer.ts';
import type { Surface } from '../surface.ts';
import { toKeyBody } from './key-requests.ts';
import type { RouteHandler } from './route-handler.ts';

const OK = 200;

export const listKeysRoute = (call: Call<Surface>): RouteHandler<typeof keysList> => ({
  async handle({ principal: { accountId }, callContext }) {
    const { keys, liveKeys, keyLimit } = await call(identity.listKeys, { accountId }, callContext);
    const body = { ok: true, keys: keys.map(toKeyBody), live_keys: liveKeys, key_limit: keyLimit };
    return jsonAnswer(OK, body);
  },
});
