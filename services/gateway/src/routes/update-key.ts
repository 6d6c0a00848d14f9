import { identity, type keyUpdate, serviceError } from '@tds/contracts';
import type { Call } from '@tds/service-kit';
import { jsonAnswer } from '../http/answer.ts';
import type { Surface } from '../surface.ts';
import { askerOf, keyIdOf, toKeyBody } from './key-requests.ts';
import type { RouteHandler } from './route-handler.ts';

const OK = 200;

export const updateKeyRoute = (call: Call<Surface>): RouteHandler<typeof keyUpdate> => ({
  async handle(input) {
    const { name, daily_credit_cap: dailyCreditCap } = input.body;
    if (name === undefined && dailyCreditCap === undefined) throw serviceError('empty_key_update');
    const request = { ...askerOf(input), keyId: keyIdOf(input), name, dailyCreditCap };
    return jsonAnswer(OK, {
      ok: true,
      key: toKeyBody(await call(identity.updateKey, request, input.callContext)),
    });
  },
});
