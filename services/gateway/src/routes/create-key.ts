import { createKey, type keyCreate } from '@tds/contracts';
import type { Call } from '@tds/service-kit';
import { jsonAnswer } from '../http/answer.ts';
import type { GatewaySurface } from '../surface.ts';
import { askerOf, newSecrets, toKeyBody } from './key-requests.ts';
import type { RouteHandler } from './route-handler.ts';

const CREATED = 201;

export const createKeyRoute = (call: Call<GatewaySurface>): RouteHandler<typeof keyCreate> => ({
  async handle(input) {
    const { name, daily_credit_cap: dailyCreditCap = null } = input.body;
    const { sent, secretOf } = newSecrets();
    const key = await call(
      createKey,
      { ...askerOf(input), name, dailyCreditCap, ...sent },
      input.callContext,
    );
    return jsonAnswer(CREATED, { ok: true, key: { ...toKeyBody(key), secret: secretOf(key) } });
  },
});
