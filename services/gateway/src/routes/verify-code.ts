import {
  type authVerify,
  createApiKey,
  createSessionToken,
  digestSecret,
  displayPrefix,
  identity,
} from '@tds/contracts';
import type { Call } from '@tds/service-kit';
import type { GatewayConfig } from '../config.ts';
import { jsonAnswer } from '../http/answer.ts';
import { deviceSetCookie } from '../http/device-cookie.ts';
import { sessionSetCookie } from '../http/session-cookie.ts';
import type { Surface } from '../surface.ts';
import type { RouteHandler } from './route-handler.ts';

const OK = 200;

/** Makes all secrets here and sends digests: the secrets themselves exist only in this answer. */
export const verifyCodeRoute = (
  call: Call<Surface>,
  { cookieSecure }: Pick<GatewayConfig, 'cookieSecure'>,
  now: () => Date,
): RouteHandler<typeof authVerify> => ({
  async handle({ body, clientAddress, device, callContext }) {
    const secret = createApiKey();
    const session = createSessionToken();
    const deviceSecret = createSessionToken();
    const prefix = displayPrefix(secret);
    const { accountId, sessionId, sessionExpiresAt, firstKey, deviceProof } = await call(
      identity.verifyCode,
      {
        email: body.email,
        code: body.code,
        acceptTerms: body.accept_terms,
        clientAddress,
        sessionDigest: digestSecret(session),
        keyDigest: digestSecret(secret),
        keyPrefix: prefix,
        device,
        newDeviceDigest: digestSecret(deviceSecret),
      },
      callContext,
    );
    const key = firstKey && {
      id: firstKey.id,
      name: firstKey.name,
      prefix,
      secret,
      created_at: firstKey.createdAt,
    };
    const cookies = [sessionSetCookie(session, new Date(sessionExpiresAt), now(), cookieSecure)];
    // Identity of the release before proves none.
    if (deviceProof !== undefined) cookies.push(deviceSetCookie(deviceSecret, deviceProof, cookieSecure));
    return jsonAnswer(
      OK,
      { ok: true, account: { id: accountId }, session: { id: sessionId, expires_at: sessionExpiresAt }, key },
      { headers: cookies.flatMap((cookie) => ['Set-Cookie', cookie]) },
    );
  },
});
