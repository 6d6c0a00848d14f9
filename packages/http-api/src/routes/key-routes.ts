import {
  apiKey,
  chosenCap,
  IDEMPOTENCY_KEY_HOURS,
  identity,
  KEY_GRACE_HOURS,
  namedObject,
  uuid,
} from '@tds/contracts';
import { z } from 'zod';
import { pathId } from '../common-fields.ts';
import { defineRoutes, field, okAnswer, okBody } from '../define-route.ts';

const MAX_NAME_LENGTH = 64;
/** Control characters, line separators, and halves of surrogate pairs, which no database takes. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;

const isKeyName = (name: string): boolean =>
  name !== '' && [...name].length <= MAX_NAME_LENGTH && !unprintable.test(name);

const keyName = z.string().trim().refine(isKeyName);
const nameText = '1 to 64 characters, without control characters; trimmed';
const optionalName = field(keyName.optional(), 'invalid_key_name', nameText);
const optionalCap = field(
  chosenCap.nullish(),
  'invalid_daily_credit_cap',
  'Credits that the key may spend per UTC day; null is no cap',
);

const newKey = apiKey
  .extend({
    secret: z
      .string()
      .describe('svc_live_...; shown once, and again only to repeats with the same Idempotency-Key'),
  })
  .meta({ id: 'NewApiKey' });

const oneKey = okBody('KeyResponse', { key: apiKey });
const params = { keyId: pathId('key', 'key_not_found') };

export const keyRoutes = defineRoutes('Keys', {
  listKeys: {
    method: 'GET',
    path: '/v1/keys',
    calls: [identity.listKeys],
    access: 'key-or-session',
    summary: 'List the keys of the account, without secrets',
    description: 'Every key that works and the hundred that were revoked last, newest first.',
    responses: { 200: okAnswer('Keys', 'KeyList', identity.listKeys.reply.shape) },
  },

  createKey: {
    method: 'POST',
    path: '/v1/keys',
    calls: [identity.createKey],
    access: 'key-or-session',
    takesIdempotencyKey: `for ${IDEMPOTENCY_KEY_HOURS} hours`,
    summary: 'Create a key',
    description:
      'A key with a daily credit cap creates keys with a cap no higher than its own. A key counts as live while it works and has no successor; key_limit says when the first place comes free. An account creates at most 50 keys within 24 hours. A lower tier ends the keys beyond its limit in 24 hours: those whose place the account has had longest stay.',
    body: {
      name: field(keyName, 'invalid_key_name', nameText),
      daily_credit_cap: optionalCap,
    },
    responses: { 201: okAnswer('The key; its secret is shown once', 'KeyCreated', { key: newKey }) },
    errors: ['replay_not_possible'],
  },

  createDashboardKey: {
    method: 'POST',
    path: '/v1/dashboard/key',
    calls: [identity.createDashboardKey],
    access: 'session',
    summary: 'Get the key of this session',
    description:
      'For what a session may not do. A session has one key, the same each time; it ends with the session, and its jobs and monitors go on. It is not listed, takes no place among the keys and sends no mail. Those of an account share their daily limits.',
    responses: {
      200: okAnswer('The key of this session', 'DashboardKeyResponse', {
        key: namedObject('DashboardKey', { id: uuid, prefix: z.string(), secret: z.string() }),
      }),
    },
  },

  updateKey: {
    method: 'POST',
    path: '/v1/keys/{keyId}',
    calls: [identity.updateKey],
    access: 'key-or-session',
    summary: 'Rename a key, or change its daily credit cap',
    params,
    description:
      'A key may lower a cap; raising or removing one takes a session. A key with a cap changes only itself and keys that it created: else begun_by_another_key. The change takes effect everywhere within 30 seconds.',
    body: { name: optionalName, daily_credit_cap: optionalCap },
    responses: { 200: { description: 'The key', schema: oneKey } },
    emptyBodyCode: 'empty_key_update',
  },

  revokeKey: {
    method: 'DELETE',
    path: '/v1/keys/{keyId}',
    calls: [identity.revokeKey],
    access: 'key-or-session',
    summary: 'Revoke a key, now or in 24 hours',
    params,
    description:
      'A repeat changes nothing; a scheduled revocation can be brought forward, never put off. It takes effect everywhere within 30 seconds. Jobs and monitors of a key that is revoked at once pause (key_revoked) until another key retries or resumes them, and nothing more is sent to a webhook_url that it gave; those of a key that ends later, or was rotated, go on under the cap of its successor. A key with a cap revokes only itself and keys that it created: else begun_by_another_key.',
    body: {
      grace_period_hours: field(
        z.union([z.literal(0), z.literal(KEY_GRACE_HOURS)]).default(0),
        'invalid_grace_period',
        'Hours until the key stops working: 0 or 24',
      ),
    },
    responses: { 200: { description: 'The key, revoked or revoking', schema: oneKey } },
  },

  rotateKey: {
    method: 'POST',
    path: '/v1/keys/{keyId}/rotate',
    calls: [identity.rotateKey],
    access: 'key-or-session',
    takesIdempotencyKey: `for ${IDEMPOTENCY_KEY_HOURS} hours`,
    endingKeysRepeat: true,
    summary: 'Replace an active key by a new one',
    params,
    description:
      'The new key takes over name and cap unless they are given. The old key works for 24 hours more. Rotating works at the key limit. A key that is not active is 400 key_revoked; a capped key rotates only itself.',
    body: { name: optionalName, daily_credit_cap: optionalCap },
    responses: {
      201: okAnswer('The new key with its secret, shown once, and the replaced key', 'KeyRotated', {
        key: newKey,
        replaced: apiKey,
      }),
    },
    errors: ['replay_not_possible'],
  },
});
