import { z } from 'zod';
import { defineRoutes, field, okBody } from '../define-route.ts';

const LONGEST_EMAIL = 320;
const email = field(
  z
    .string()
    .min(1)
    .max(LONGEST_EMAIL)
    .meta({ examples: ['you@example.com'] }),
  'invalid_email',
  'Your email address',
);

const cookies = {
  svc_device:
    'Set at sign-in for a year: of the address that it was set for, this browser has counts and tries of its own',
};

export const authRoutes = defineRoutes({
  requestCode: {
    method: 'POST',
    path: '/v1/auth/code',
    access: 'public',
    tag: 'Sign-in',
    summary: 'Send a sign-in code by email',
    description: 'The answer is the same whether the address has an account or not.',
    cookies,
    body: { email },
    responses: {
      200: { description: 'A code is on its way', schema: okBody({ message: z.string() }) },
    },
    errors: ['invalid_email', 'disposable_email', 'code_locked', 'signup_rate_limited'],
  },

  verifyCode: {
    method: 'POST',
    path: '/v1/auth/verify',
    access: 'public',
    tag: 'Sign-in',
    summary: 'Trade a code for a session and the first key',
    description: 'The key is shown once, at sign-up; later sign-ins answer `key: null`.',
    cookies,
    body: {
      email,
      code: field(
        z
          .string()
          .regex(/^\d{6}$/)
          .meta({ examples: ['123456'] }),
        'invalid_code',
        'The six digits from the email',
      ),
      accept_terms: field(z.literal(true), 'terms_required', 'Must be true'),
    },
    responses: {
      200: {
        description:
          'Signed in; the session is in the Set-Cookie header svc_dashboard, a year`s word for this browser in svc_device',
        headers: ['Set-Cookie'],
        schema: okBody({
          account: z.object({ id: z.uuid() }),
          session: z.object({ id: z.uuid(), expires_at: z.iso.datetime() }),
          key: z
            .object({
              id: z.uuid(),
              name: z.string(),
              prefix: z.string(),
              secret: z.string(),
              created_at: z.iso.datetime(),
            })
            .nullable(),
        }),
      },
    },
    errors: [
      'invalid_email',
      'invalid_code',
      'terms_required',
      'code_expired',
      'code_used',
      'code_locked',
      'verify_rate_limited',
      'signup_rate_limited',
      'account_frozen',
      'account_closed',
    ],
  },

  logout: {
    method: 'POST',
    path: '/v1/auth/logout',
    access: 'session',
    tag: 'Sign-in',
    summary: 'End the session',
    responses: { 204: { description: 'Signed out; the cookie is cleared', headers: ['Set-Cookie'] } },
    errors: [],
  },
});
