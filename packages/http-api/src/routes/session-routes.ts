import { identity, uuid } from '@tds/contracts';
import { z } from 'zod';
import { defineRoutes, okBody } from '../define-route.ts';

const time = z.iso.datetime();

export const sessionBody = z
  .object({
    id: uuid,
    created_at: time,
    last_seen_at: time.describe('To the minute'),
    expires_at: time.describe('Unless it is used before'),
    current: z.boolean().describe('Whether it is the session that asks'),
  })
  .meta({ id: 'Session' });

const ended = okBody({ ended: z.number().int().describe('How many sessions were ended') });

export const sessionRoutes = defineRoutes({
  listSessions: {
    method: 'GET',
    path: '/v1/sessions',
    calls: [identity.listSessions],
    access: 'session',
    tag: 'Sign-in',
    summary: 'The live sessions of the account, the one that was used last first',
    responses: { 200: { description: 'Sessions', schema: okBody({ sessions: z.array(sessionBody) }) } },
  },

  endOtherSessions: {
    method: 'DELETE',
    path: '/v1/sessions',
    calls: [identity.endSessions],
    access: 'session',
    tag: 'Sign-in',
    summary: 'End all sessions of the account but this one',
    description: 'Whoever uses one of them is refused from then on. API keys are not touched.',
    responses: { 200: { description: 'The others are ended', schema: ended } },
    unreachable: ['session_not_found'],
  },

  endSession: {
    method: 'DELETE',
    path: '/v1/sessions/{sessionId}',
    calls: [identity.endSessions],
    access: 'session',
    tag: 'Sign-in',
    summary: 'End one session of the account',
    description: 'Your own, too; the cookie is cleared by POST /v1/auth/logout only.',
    responses: { 200: { description: 'The session is ended', schema: ended } },
  },
});
