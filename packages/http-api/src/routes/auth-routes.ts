import { identity, mailChoices, namedObject, uuid } from '@tds/contracts';
import { z } from 'zod';
import { emailField, pathId } from '../common-fields.ts';
import { defineRoutes, everyRole, field, okAnswer, okBody } from '../define-route.ts';

const MAX_PASTED_CODE_LENGTH = 64;

/** A code as people paste it: other digits become plain ones; spaces, hyphens and invisible characters are dropped. */
const plainDigits = (text: string): string =>
  text.length > MAX_PASTED_CODE_LENGTH ? text : text.normalize('NFKC').replace(/[\s\p{Cf}\p{Pd}]+/gu, '');

const plainLetters = (text: string): string => plainDigits(text).toUpperCase();

const SIGNED_IN =
  'Signed in. Set-Cookie sets the session (svc_dashboard) and, for one year, the browser (svc_device)';
const openedSession = {
  account: z.object({ id: z.uuid() }),
  session: z.object({ id: z.uuid(), expires_at: z.iso.datetime() }),
};

/** An answer that signs in. */
const opensSession = <Shape extends z.ZodRawShape>(id: string, shape: Shape, description = SIGNED_IN) =>
  ({ description, headers: ['Set-Cookie'], schema: okBody(id, { ...openedSession, ...shape }) }) as const;

const email = emailField('you@example.com', 'Your email address');
const codeField = (clean: (text: string) => string, pattern: RegExp, example: string, what: string) =>
  field(
    z
      .string()
      .overwrite(clean)
      .regex(pattern)
      .meta({ examples: [example] }),
    'invalid_code',
    what,
  );
const acceptTerms = field(z.literal(true), 'terms_required', 'Must be true');
const ofSession = { access: 'session', roles: everyRole } as const;

const cookies = {
  svc_device:
    'Set at sign-in for one year. For that email address this browser has its own limits of codes and guesses',
};

export const authRoutes = defineRoutes('Sign-in', {
  requestCode: {
    method: 'POST',
    path: '/v1/auth/code',
    calls: [identity.requestCode],
    access: 'public',
    summary: 'Send a sign-in code by email',
    description:
      'The answer is the same whether the address has an account or not. Addresses are trimmed, lower-cased and NFKC, with an IDNA domain; dots and plus tags stay. An address gets 3 codes an hour and 10 a day, the same again for each browser that has signed in before (together 20 a day); a network (/24, /48) 20 an hour and 60 a day. disposable_email also means subdomains of listed domains, and domains whose mail exchanger is listed.',
    cookies,
    body: { email },
    responses: { 200: okAnswer('A code is being sent', 'CodeSent', { message: z.string() }) },
  },

  verifyCode: {
    method: 'POST',
    path: '/v1/auth/verify',
    calls: [identity.verifyCode],
    access: 'public',
    summary: 'Exchange a code for a session and the first key',
    description:
      'The key is shown once, at sign-up; later sign-ins answer `key: null`. After five wrong guesses the address is locked for fifteen minutes, also for the right code; browsers that have signed in before have guesses of their own. A network has 20 wrong guesses an hour and 60 a day, and 20 a day at one address; a code that is not six digits costs none; spaces, hyphens and invisible characters in a pasted code are ignored. Only the right code is answered code_used, code_expired or account_closed. At most five accounts share one mailbox, and a domain that is no mail provider has at most twenty new free accounts in 31 days (signup_rate_limited). A session ends after 12 idle hours, at the latest after 30 days.',
    cookies,
    body: {
      email,
      code: codeField(plainDigits, /^\d{6}$/, '123456', 'The six digits from the email'),
      accept_terms: acceptTerms,
      time_zone: field(
        mailChoices.time_zone.optional(),
        'invalid_time_zone',
        'The IANA time zone of a new account; one that we do not know counts as UTC',
      ),
    },
    responses: {
      200: opensSession('SignedIn', {
        key: namedObject('FirstKey', {
          id: z.uuid(),
          name: z.string(),
          prefix: z.string(),
          secret: z.string(),
          created_at: z.iso.datetime(),
        }).nullable(),
      }),
    },
  },

  acceptInvitation: {
    method: 'POST',
    path: '/v1/auth/invitation',
    calls: [identity.acceptInvitation],
    access: 'public',
    summary: 'Join an account by the code of an invitation',
    description:
      'It makes no account, key or credits, and its session stays in that account. An address that has an account elsewhere signs in first, in the same browser: else sign_in_required. Five wrong codes lock an invitation for their network for fifteen minutes. Only the right code is answered code_used, code_expired, account_closed or sign_in_required.',
    body: {
      invitation_id: field(uuid, 'invalid_code', 'The id in the link of the mail'),
      code: codeField(
        plainLetters,
        /^[2-9A-HJ-NP-Z]{12}$/,
        '7KQ2M4XA9RTW',
        'The twelve letters and digits from the mail',
      ),
      accept_terms: acceptTerms,
    },
    responses: { 200: opensSession('InvitationAccepted', {}) },
  },

  switchAccount: {
    method: 'POST',
    path: '/v1/auth/switch',
    calls: [identity.switchAccount],
    ...ofSession,
    summary: 'Go on in another account of your address',
    description:
      'The session ends, and another one takes its place until the same time. GET /v1/account lists the accounts. A session that an invitation opened stays where it is: sign_in_required.',
    body: { account_id: field(uuid, 'account_not_found', 'The id of the account') },
    responses: {
      200: opensSession(
        'AccountSwitched',
        {},
        'Signed in to that account. Set-Cookie sets the session (svc_dashboard)',
      ),
    },
  },

  logout: {
    method: 'POST',
    path: '/v1/auth/logout',
    calls: [identity.endSession],
    ...ofSession,
    summary: 'End the session',
    responses: { 204: { description: 'Signed out; the cookie is cleared', headers: ['Set-Cookie'] } },
  },
});

const endedBody = okBody('SessionsEnded', identity.endSessions.reply.shape);

export const sessionRoutes = defineRoutes('Sign-in', {
  listSessions: {
    method: 'GET',
    path: '/v1/sessions',
    calls: [identity.listSessions],
    ...ofSession,
    summary: 'List the live sessions of your address, in all its accounts, the last used first',
    responses: { 200: okAnswer('Sessions', 'SessionList', identity.listSessions.reply.shape) },
  },

  endOtherSessions: {
    method: 'DELETE',
    path: '/v1/sessions',
    calls: [identity.endSessions],
    ...ofSession,
    summary: 'End all sessions of your address except this one',
    description: 'Requests with an ended session are refused. API keys are not affected.',
    responses: { 200: { description: 'The other sessions are ended', schema: endedBody } },
    unreachable: ['session_not_found'],
  },

  endSession: {
    method: 'DELETE',
    path: '/v1/sessions/{sessionId}',
    calls: [identity.endSessions],
    ...ofSession,
    summary: 'End one session of your address',
    params: { sessionId: pathId('session', 'session_not_found') },
    description: 'It may be your own; only POST /v1/auth/logout also clears the cookie.',
    responses: { 200: { description: 'The session is ended', schema: endedBody } },
  },
});
