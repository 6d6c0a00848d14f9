import { type keyRotate, rotateKey } from '@tds/contracts';
import type { Call } from '@tds/service-kit';
import { jsonAnswer } from '../http/answer.ts';
import type { GatewaySurface } from '../surface.ts';
import { askerOf, keyIdOf, newSecrets, toKeyBody } from './key-requests.ts';
import type { RouteHandler } from './route-handler.ts';

const CREATED = 201;

export const rotateKeyRoute = (call: Call<GatewaySurface>): RouteHandler<typeof keyRotate> => ({
  async handle(input) {
    const { name, daily_credit_cap: dailyCreditCap } = input.body;
    const { sent, secretOf } = newSecrets();
    const request = { ...askerOf(input), keyId: keyIdOf(input), name, dailyCreditCap, ...sent };
    const { key, replaced } = await call(rotateKey, request, input.callContext);
    const body = {
      ok: true,
      key: { ...toKeyBody(key), secret: secretOf(key) },
      replaced: toKeyBody(replaced),
    };
    return jsonAnswer(CREATED, body);
  },
});
