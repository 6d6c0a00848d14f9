import {
  codeProofText,
  createApiKey,
  createSessionToken,
  digestSecret,
  displayPrefix,
  identity,
  type ReplyOf,
} from '@tds/contracts';
import { routes } from '@tds/http-api';
import { deviceCookie, sessionCookie } from '../../wire/index.ts';
import { callRoute, createAnswers, onRoute, type RouteDeps } from '../serve/index.ts';

type SignInDeps = Pick<RouteDeps, 'call' | 'codeMacs' | 'config' | 'now'>;

const toOpened = ({ accountId, sessionId, sessionExpiresAt }: ReplyOf<typeof identity.switchAccount>) => ({
  account: { id: accountId },
  session: { id: sessionId, expires_at: sessionExpiresAt },
});

const answers = createAnswers(routes.verifyCode);

/**
 * Creates all secrets here and sends digests: the secrets exist in this answer only. Of the code identity gets a proof,
 * which tells others nothing.
 */
const verifyCode = onRoute(
  routes.verifyCode,
  async (
    { call, codeMacs, config: { cookieSecure }, now }: SignInDeps,
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
    const { firstKey, deviceProof, ...opened } = await call(
      identity.verifyCode,
      {
        email,
        codeProof: codeMacs.sign(codeProofText({ email, code, ...digests })),
        acceptTerms: body.accept_terms,
        clientAddress,
        ...digests,
        keyPrefix: prefix,
        timeZone: body.time_zone,
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
      sessionCookie.set(session, new Date(opened.sessionExpiresAt), now(), cookieSecure),
      deviceCookie.set(deviceSecret, deviceProof, cookieSecure),
    ];
    return answers.json({ ...toOpened(opened), key }, { headers: { 'Set-Cookie': cookies } });
  },
);

/** As for a code of a sign-in, identity gets digests and a proof. */
const acceptInvitation = onRoute(
  routes.acceptInvitation,
  async (
    { call, codeMacs, config: { cookieSecure }, now }: SignInDeps,
    { body, clientAddress, callContext },
  ) => {
    const [session, deviceSecret] = [createSessionToken(), createSessionToken()];
    const { invitation_id: invitationId, code } = body;
    const digests = { sessionDigest: digestSecret(session), newDeviceDigest: digestSecret(deviceSecret) };
    const codeProof = codeMacs.sign(codeProofText({ email: invitationId, code, ...digests }));
    const request = { invitationId, codeProof, clientAddress, ...digests };
    const { deviceProof, ...opened } = await call(identity.acceptInvitation, request, callContext);
    const cookies = [
      sessionCookie.set(session, new Date(opened.sessionExpiresAt), now(), cookieSecure),
      deviceCookie.set(deviceSecret, deviceProof, cookieSecure),
    ];
    const headers = { 'Set-Cookie': cookies };
    return createAnswers(routes.acceptInvitation).json(toOpened(opened), { headers });
  },
);

const switchAccount = onRoute(
  routes.switchAccount,
  async ({ call, config: { cookieSecure }, now }: SignInDeps, input) => {
    const { principal, credentialDigest: sessionDigest, clientAddress, callContext, body } = input;
    const session = createSessionToken();
    const opened = await call(
      identity.switchAccount,
      {
        ...{ accountId: principal.accountId, sessionDigest, clientAddress },
        ...{ toAccountId: body.account_id, newSessionDigest: digestSecret(session) },
      },
      callContext,
    );
    const cookie = sessionCookie.set(session, new Date(opened.sessionExpiresAt), now(), cookieSecure);
    return createAnswers(routes.switchAccount).json(toOpened(opened), { headers: { 'Set-Cookie': cookie } });
  },
);

const codeSent = 'If this address can sign in, a six-digit code is on its way. It is valid for ten minutes.';

const requestCode = callRoute(routes.requestCode, { body: () => ({ message: codeSent }) });

const logout = callRoute(routes.logout, {
  headers: ({ config }) => ({ 'Set-Cookie': sessionCookie.end(config.cookieSecure) }),
});

const endOtherSessions = callRoute(routes.endOtherSessions, { request: () => ({ sessionId: null }) });

export const authRoutes = {
  requestCode,
  verifyCode,
  acceptInvitation,
  switchAccount,
  logout,
  endOtherSessions,
};
