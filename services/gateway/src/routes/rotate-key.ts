import { identity, type keyRotate } from '@tds/contracts';
import type { Call } from '@tds/service-kit';
import { jsonAnswer } from '../http/answer.ts';
import type { Surface } from '../surface.ts';
import { askerOf, keyIdOf, scopeOf, toKeyBody } from './key-requests.ts';
import type { KeySecrets } from './key-secrets.ts';
import type { RouteHandler } from './route-handler.ts';

const CREATED = 201;

export const rotateKeyRoute = (
  call: Call<Surface>,
  newSecrets: KeySecrets,
): RouteHandler<typeof keyRotate> => ({
  async handle(input) {
    const { name, daily_credit_cap: dailyCreditCap } = input.body;
    const keyId = keyIdOf(input);
    const { sent, secretOf, repeatHeaders } = newSecrets(scopeOf(input, `rotate-key ${keyId}`));
    const request = { ...askerOf(input), keyId, name, dailyCreditCap, ...sent };
    const { key, replaced, replay } = await call(identity.rotateKey, request, input.callContext);
    const body = {
      ok: true,
      key: { ...toKeyBody(key), secret: secretOf({ key, replay }) },
      replaced: toKeyBody(replaced),
    };
    return jsonAnswer(CREATED, body, repeatHeaders({ replay }));
  },
});
