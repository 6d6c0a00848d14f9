import { identity, type keyRevoke } from '@tds/contracts';
import type { Call } from '@tds/service-kit';
import { jsonAnswer } from '../http/answer.ts';
import type { Surface } from '../surface.ts';
import { askerOf, keyIdOf, toKeyBody } from './key-requests.ts';
import type { RouteHandler } from './route-handler.ts';

const OK = 200;

export const revokeKeyRoute = (call: Call<Surface>): RouteHandler<typeof keyRevoke> => ({
  async handle(input) {
    const { grace_period_hours: graceHours } = input.body;
    const request = { ...askerOf(input), keyId: keyIdOf(input), graceHours };
    return jsonAnswer(OK, {
      ok: true,
      key: toKeyBody(await call(identity.revokeKey, request, input.callContext)),
    });
  },
});
