import {
  codeProofText,
  createApiKey,
  createSessionToken,
  digestSecret,
  displayPrefix,
  identity,
} from '@tds/contracts';
import { routes } from '@tds/http-api';
import { deviceCookie, sessionCookie } from '../../wire/index.ts';
import { callRoute, createAnswers, onRoute, type RouteDeps } from '../serve/index.ts';

const answers = createAnswers(routes.verifyCode);

/**
 * Creates all secrets here and sends digests: the secrets exist in this answer only. Of the code identity gets a proof,
 * which tells others nothing.
 */
const verifyCode = onRoute(
  routes.verifyCode,
  async (
    { call, codeMacs, config: { cookieSecure }, now }: Pick<RouteDeps, 'call' | 'codeMacs' | 'config' | 'now'>,
    { body, clientAddress, device, callContext },
  ) => {
    const secret = createApiKey();
    const session = createSessionToken();
    const deviceSecret = createSessionToken();
    const prefix = displayPrefix(secret);
    const digests = {
      sessionDigest: digestSecret(session),
      keyDigest: digestSecret(secret),
      newDeviceDigest: digestSecret(deviceSecret),
    };
    const { email, code } = body;
    const { accountId, sessionId, sessionExpiresAt, firstKey, deviceProof } = await call(
      identity.verifyCode,
      {
        email,
        codeProof: codeMacs.sign(codeProofText({ email, code, ...digests })),
        acceptTerms: body.accept_terms,
        clientAddress,
        ...digests,
        keyPrefix: prefix,
        device,
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
    const cookies = [
      sessionCookie.set(session, new Date(sessionExpiresAt), now(), cookieSecure),
      deviceCookie.set(deviceSecret, deviceProof, cookieSecure),
    ];
    return answers.json(
      { account: { id: accountId }, session: { id: sessionId, expires_at: sessionExpiresAt }, key },
      { headers: { 'Set-Cookie': cookies } },
    );
  },
);

const codeSent = 'If this address can sign in, a six-digit code is on its way. It is valid for ten minutes.';

const requestCode = callRoute(routes.requestCode, { body: () => ({ message: codeSent }) });

const logout = callRoute(routes.logout, {
  headers: ({ config }) => ({ 'Set-Cookie': sessionCookie.end(config.cookieSecure) }),
});

const endOtherSessions = callRoute(routes.endOtherSessions, { request: () => ({ sessionId: null }) });

export const authRoutes = { requestCode, verifyCode, logout, endOtherSessions };
