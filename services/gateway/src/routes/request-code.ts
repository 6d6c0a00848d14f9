import { type authCode, identity } from '@tds/contracts';
import type { Call } from '@tds/service-kit';
import { jsonAnswer } from '../http/answer.ts';
import type { Surface } from '../surface.ts';
import type { RouteHandler } from './route-handler.ts';

const OK = 200;
const message = 'If this address can sign in, a six-digit code is on its way. It is valid for ten minutes.';

export const requestCodeRoute = (call: Call<Surface>): RouteHandler<typeof authCode> => ({
  async handle({ body: { email }, clientAddress, device, callContext }) {
    await call(identity.requestCode, { email, clientAddress, device }, callContext);
    return jsonAnswer(OK, { ok: true, message });
  },
});
