import { identity } from '@tds/contracts';
import { pathId } from '../common-fields.ts';
import { defineRoutes, okBody } from '../define-route.ts';

const ended = okBody('SessionsEnded', identity.endSessions.reply.shape);

export const sessionRoutes = defineRoutes({
  listSessions: {
    method: 'GET',
    path: '/v1/sessions',
    calls: [identity.listSessions],
    access: 'session',
    tag: 'Sign-in',
    summary: 'List the live sessions of the account, the last used first',
    responses: {
      200: { description: 'Sessions', schema: okBody('SessionList', identity.listSessions.reply.shape) },
    },
  },

  endOtherSessions: {
    method: 'DELETE',
    path: '/v1/sessions',
    calls: [identity.endSessions],
    access: 'session',
    tag: 'Sign-in',
    summary: 'End all sessions of the account except this one',
    description: 'Requests with an ended session are refused. API keys are not affected.',
    responses: { 200: { description: 'The other sessions are ended', schema: ended } },
    unreachable: ['session_not_found'],
  },

  endSession: {
    method: 'DELETE',
    path: '/v1/sessions/{sessionId}',
    calls: [identity.endSessions],
    access: 'session',
    tag: 'Sign-in',
    summary: 'End one session of the account',
    params: pathId('sessionId', 'session'),
    description: 'It may be your own; only POST /v1/auth/logout also clears the cookie.',
    responses: { 200: { description: 'The session is ended', schema: ended } },
  },
});
