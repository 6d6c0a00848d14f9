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

type Opened = ReplyOf<typeof identity.switchAccount>;
const toOpened = ({ accountId, sessionId, sessionExpiresAt }: Opened) => ({
  account: { id: accountId },
  session: { id: sessionId, expires_at: sessionExpiresAt },
});

type CookieDeps = Pick<RouteDeps, 'config' | 'now'>;
const toSessionCookie = ({ config, now }: CookieDeps, token: string, { sessionExpiresAt }: Opened) =>
  sessionCookie.set(token, new Date(sessionExpiresAt), now(), config.cookieSecure);

/** The secrets of a session and of its browser: they exist in this answer only, and identity gets their digests. */
const createSignIn = () => {
  const [session, device] = [createSessionToken(), createSessionToken()];
  return {
    digests: { sessionDigest: digestSecret(session), newDeviceDigest: digestSecret(device) },
    headers: (deps: CookieDeps, { deviceProof, ...opened }: Opened & { readonly deviceProof: string }) => ({
      'Set-Cookie': [
        toSessionCookie(deps, session, opened),
        deviceCookie.set(device, deviceProof, deps.config.cookieSecure),
      ],
    }),
  };
};

/** Of the code identity gets a proof, which tells others nothing. */
const verifyCode = onRoute(routes.verifyCode, async (deps, { body, clientAddress, device, callContext }) => {
  const secret = createApiKey();
  const prefix = displayPrefix(secret);
  const signIn = createSignIn();
  const digests = { ...signIn.digests, keyDigest: digestSecret(secret) };
  const { email, code, accept_terms: acceptTerms, time_zone: timeZone } = body;
  const codeProof = deps.codeMacs.sign(codeProofText({ email, code, ...digests }));
  const guess = { email, codeProof, acceptTerms, clientAddress, timeZone, device };
  const request = { ...guess, ...digests, keyPrefix: prefix };
  const { firstKey, ...opened } = await deps.call(identity.verifyCode, request, callContext);
  const key = firstKey && {
    ...{ id: firstKey.id, name: firstKey.name, prefix, secret, created_at: firstKey.createdAt },
  };
  return createAnswers(routes.verifyCode).json(
    { ...toOpened(opened), key },
    { headers: signIn.headers(deps, opened) },
  );
});

const acceptInvitation = onRoute(
  routes.acceptInvitation,
  async (deps, { body, headers: sent, clientAddress, callContext }) => {
    const former = sessionCookie.read(sent.cookie);
    const { invitation_id: invitationId, code } = body;
    const { digests, headers } = createSignIn();
    const codeProof = deps.codeMacs.sign(codeProofText({ email: invitationId, code, ...digests }));
    const formerSessionDigest = former.kind === 'token' ? digestSecret(former.token) : undefined;
    const request = { invitationId, codeProof, clientAddress, formerSessionDigest, ...digests };
    const opened = await deps.call(identity.acceptInvitation, request, callContext);
    return createAnswers(routes.acceptInvitation).json(toOpened(opened), { headers: headers(deps, opened) });
  },
);

const switchAccount = onRoute(routes.switchAccount, async (deps, input) => {
  const { principal, credentialDigest: sessionDigest, clientAddress, callContext, body } = input;
  const session = createSessionToken();
  const caller = { accountId: principal.accountId, sessionDigest, clientAddress };
  const request = { ...caller, toAccountId: body.account_id, newSessionDigest: digestSecret(session) };
  const opened = await deps.call(identity.switchAccount, request, callContext);
  const headers = { 'Set-Cookie': toSessionCookie(deps, session, opened) };
  return createAnswers(routes.switchAccount).json(toOpened(opened), { headers });
});

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
