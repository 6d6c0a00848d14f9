import { identity, type keyCreate } from '@tds/contracts';
import type { Call } from '@tds/service-kit';
import { jsonAnswer } from '../http/answer.ts';
import type { Surface } from '../surface.ts';
import { askerOf, scopeOf, toKeyBody } from './key-requests.ts';
import type { KeySecrets } from './key-secrets.ts';
import type { RouteHandler } from './route-handler.ts';

const CREATED = 201;

export const createKeyRoute = (
  call: Call<Surface>,
  newSecrets: KeySecrets,
): RouteHandler<typeof keyCreate> => ({
  async handle(input) {
    const { name, daily_credit_cap: dailyCreditCap = null } = input.body;
    const { sent, secretOf, repeatHeaders } = newSecrets(scopeOf(input, 'create-key'));
    const request = { ...askerOf(input), name, dailyCreditCap, ...sent };
    const { replay, ...key } = await call(identity.createKey, request, input.callContext);
    const body = { ok: true, key: { ...toKeyBody(key), secret: secretOf({ key, replay }) } };
    return jsonAnswer(CREATED, body, repeatHeaders({ replay }));
  },
});
