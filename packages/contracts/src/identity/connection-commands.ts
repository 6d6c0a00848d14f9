import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { line, madeBy, namedObject, time, uuid } from '../ids.ts';
import { accessScope, chosenCap, secretDigest } from '../principal.ts';
import { changedBy } from './key-commands.ts';

/** Live connections of an account. */
export const MAX_CONNECTIONS = 10;

const MAX_APP_NAME_LENGTH = 64;
const MAX_HOST_LENGTH = 253;

/** What an app calls itself, and where its answers go. Only the host is checked. */
const app = {
  name: line(MAX_APP_NAME_LENGTH).describe('What the app calls itself; no one has checked it'),
  host: z
    .string()
    .max(MAX_HOST_LENGTH)
    .describe(
      "The host that the app returns to; localhost is this computer, and a name with a colon at its end the scheme of a program on the holder's device",
    ),
};

/** An app, in the API. */
export const connectedApp = namedObject('ConnectedApp', app);

/** A connection of an app to an account, in the API and on the bus. Its id is that of its key. */
export const connection = namedObject('Connection', {
  id: uuid,
  app: connectedApp,
  scopes: z.array(accessScope).describe('What the app may do'),
  daily_credit_cap: z.number().int().nullable().describe('Credits per UTC day; null if it may spend none'),
  created_at: time,
  last_used_at: time.nullable().describe('Up to ten minutes late; null if it was never used'),
  person_id: madeBy,
});
export type Connection = z.infer<typeof connection>;

export const connectionCommands = commands({
  /** Lists the live connections, newest first. */
  listConnections: {
    request: z.object({ accountId: uuid }),
    reply: z.object({ connections: z.array(connection) }),
  },

  /** Connects an app on behalf of a live session. A repeat with the same grant answers the same connection. */
  createConnection: {
    request: z.object({
      accountId: uuid,
      sessionDigest: secretDigest,
      clientAddress: z.string(),
      grantId: z.string().max(128),
      app: connectedApp,
      scopes: z.array(accessScope).min(1),
      dailyCreditCap: chosenCap.nullable(),
    }),
    reply: z.object({ connection }),
    errors: ['session_required', 'account_closed', 'connection_limit'],
  },

  /** Ends a connection at once, with its work. */
  endConnection: {
    request: z.object({ accountId: uuid, connectionId: uuid, by: changedBy }),
    reply: z.object({ connection }),
    errors: [
      'connection_not_found',
      'begun_by_another_key',
      'invalid_api_key',
      'key_is_ending',
      'role_required',
    ],
  },
});

/** The kinds of records that the authorization server keeps. */
export const grantRecordKind = z.enum([
  'Client',
  'Interaction',
  'Grant',
  'AuthorizationCode',
  'AccessToken',
  'RefreshToken',
]);
export type GrantRecordKind = z.infer<typeof grantRecordKind>;

/** A record is named by the SHA-256 of its id, which is a secret of codes and tokens. */
const record = { kind: grantRecordKind, digest: secretDigest };

/** The JSON of a record, without its id. */
export const MAX_GRANT_RECORD_LENGTH = 16_384;

const savedRecord = z.object({
  ...record,
  payload: z.string().max(MAX_GRANT_RECORD_LENGTH),
  grantId: z.string().max(128).nullable(),
  lifeSeconds: z.number().int().positive(),
  clientAddress: z.string(),
  /** Of the client of a refresh token: its record lives longer. */
  clientDigest: secretDigest.nullable(),
  /** What an access token may do, at most what its connection may. */
  scope: z.string().max(128).optional(),
});

/** What the gateway's authorization server stores: records of the library that it runs. */
export const grantRecordCommands = commands({
  /** Saves or replaces a record. A client or an interaction is made by a stranger, so its network is limited. */
  saveGrantRecord: {
    request: savedRecord,
    reply: z.object({}),
    errors: ['rate_limit', 'invalid_access_token'],
    isIdempotent: true,
  },

  /** Null if it is unknown, has expired, or belongs to a connection that has ended. */
  findGrantRecord: {
    request: z.object(record),
    reply: z.object({ found: z.object({ payload: z.string() }).nullable() }),
  },

  /**
   * Uses a code or a refresh token and saves what is made of it, both or nothing. A refresh is repeated while the token that it
   * made is unused; any other second use ends the connection and is false.
   */
  issueTokens: {
    request: z.object({ used: z.object(record), made: z.array(savedRecord).max(2) }),
    reply: z.object({ isIssued: z.boolean() }),
    errors: ['rate_limit', 'invalid_access_token'],
  },

  deleteGrantRecord: { request: z.object(record), reply: z.object({}), isIdempotent: true },

  /** Ends the connection of a grant, and all its tokens. */
  endGrant: { request: z.object({ grantId: z.string().max(128) }), reply: z.object({}), isIdempotent: true },
});
