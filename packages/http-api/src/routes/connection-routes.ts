import { accessScope, chosenCap, connectedApp, identity, namedObject, uuid } from '@tds/contracts';
import { z } from 'zod';
import { pathId } from '../common-fields.ts';
import { defineRoutes, field, okAnswer } from '../define-route.ts';

const params = { connectionId: pathId('connection', 'connection_not_found') };

/** As the authorization server makes them. */
const requestParams = {
  appRequestId: field(
    z.string().regex(/^[A-Za-z0-9_-]{21,64}$/),
    'connection_request_not_found',
    'The id of the request, which the page of the request has in its address',
  ),
};

const scopes = z
  .array(accessScope)
  .max(accessScope.options.length)
  .transform((wanted) => accessScope.options.filter((scope) => scope === 'read' || wanted.includes(scope)))
  .default(['read'])
  .meta({ default: ['read'] });

export const connectionRoutes = defineRoutes('Connections', {
  listConnections: {
    method: 'GET',
    path: '/v1/connections',
    calls: [identity.listConnections],
    access: 'key-or-session',
    summary: 'List the connected apps of the account',
    description:
      'Live connections, newest first. A connection is a key of its own with a cap and scopes: usage and the ledger name it by its id. Its access tokens last an hour, and open only routes of its scopes: none that manage keys, connections, sessions, the webhook or purchases.',
    responses: { 200: okAnswer('Connections', 'ConnectionList', identity.listConnections.reply.shape) },
  },

  endConnection: {
    method: 'DELETE',
    path: '/v1/connections/{connectionId}',
    calls: [identity.endConnection],
    access: 'key-or-session',
    summary: 'Disconnect an app',
    params,
    description:
      'Its tokens end everywhere within 30 seconds. Its jobs and monitors pause (key_revoked) until another key retries or resumes them and nothing more is sent to a webhook_url that it gave. A connection that has ended is connection_not_found. A key with a daily_credit_cap ends none: begun_by_another_key.',
    responses: {
      200: okAnswer('The connection that has ended', 'ConnectionEnded', identity.endConnection.reply.shape),
    },
  },

  getConnectionRequest: {
    method: 'GET',
    path: '/v1/connections/requests/{appRequestId}',
    calls: [identity.findGrantRecord],
    access: 'session',
    summary: 'Read what an app asks for',
    params: requestParams,
    description:
      'For the page on which the holder allows or refuses it. Only the browser that the app opened can read the request, for half an hour.',
    responses: {
      200: okAnswer('The request', 'ConnectionRequestResponse', {
        request: namedObject('RequestedConnection', {
          app: connectedApp,
          scopes: z.array(accessScope).describe('What the app asks for; all if it names nothing'),
        }),
      }),
    },
  },

  answerConnectionRequest: {
    method: 'POST',
    path: '/v1/connections/requests/{appRequestId}',
    calls: [identity.createConnection],
    access: 'session',
    summary: 'Allow or refuse what an app asks for',
    params: requestParams,
    description:
      'Allowing makes a connection, of which a mail informs the holder. It always includes read; all else takes a daily_credit_cap. Then open redirect_to in the same browser: it leads back to the app. A repeat makes no second connection.',
    body: {
      allow: field(z.boolean(), 'invalid_connection_answer', 'Whether the app may connect'),
      scopes: field(scopes, 'invalid_scopes', 'What it may do, of what it asks for'),
      daily_credit_cap: field(
        chosenCap.nullish(),
        'invalid_daily_credit_cap',
        'Credits that it may spend per UTC day',
      ),
      account_id: field(
        uuid.optional(),
        'account_not_found',
        'The account that the page has named: account_changed if the session is in another one by now',
      ),
    },
    responses: {
      200: okAnswer('Where the browser goes on', 'ConnectionRequestAnswered', {
        redirect_to: z.string().describe('An address of this service'),
      }),
    },
    errors: ['cap_required', 'account_changed'],
  },
});
