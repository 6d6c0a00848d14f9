import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { line, namedObject, time, uuid } from '../ids.ts';
import { KEY_GRACE_HOURS, MAX_ACCOUNT_NAME_LENGTH } from '../limits.ts';
import { accountStatus, secretDigest, tier } from '../principal.ts';

/** `revoking` keys work until `revokes_at`. */
export const keyStatus = z.enum(['active', 'revoking', 'revoked']).meta({ id: 'KeyStatus' });

const dailyCreditCap = z.number().int().positive().nullable();

/** A key without its secret, in the API and on the bus. */
export const apiKey = namedObject('ApiKey', {
  id: uuid,
  person_id: uuid.optional().describe('The person whose key it is'),
  name: z.string(),
  prefix: z.string().length(12).describe('Labels the key; unique within the account'),
  daily_credit_cap: z.number().int().nullable(),
  status: keyStatus.describe('A revoking key works until revokes_at'),
  created_at: time,
  last_used_at: time.nullable().describe('Up to ten minutes late; null if it was never used'),
  revokes_at: time.nullable(),
  revoked_at: time.nullable(),
  replaced_by: uuid.nullable().describe('The key that a rotation put in its place'),
});
export type ApiKey = z.infer<typeof apiKey>;

/** The author of a change: an active key, or null for a session. Without a person, from the release before, the first one. */
export const changedBy = z.object({
  keyId: uuid.nullable(),
  clientAddress: z.string(),
  personId: uuid.optional(),
});
const by = changedBy;
export type ChangedBy = z.infer<typeof by>;

/** The requesting key has ended, or is about to end. */
const keyErrors = ['invalid_api_key', 'key_is_ending', 'role_required'] as const;

const secretFields = { keyDigest: secretDigest, keyPrefix: z.string().length(12) };

/**
 * The caller creates secrets and sends their digests and labels; the key gets the first one whose prefix no other key of the
 * account has.
 */
const newSecret = { ...secretFields, spares: z.array(z.object(secretFields)).max(8).optional() };

/**
 * The SHA-256 of a request's Idempotency-Key, and the nonce that the caller derived the new secrets from, so that it can derive
 * them again.
 */
const idempotency = z.object({ digest: secretDigest, nonce: uuid });
export type Idempotency = z.infer<typeof idempotency>;
const repeatable = { ...newSecret, idempotency: idempotency.optional() };

/** Marks a repeated reply: the nonce of the first request, and the digest chosen then. */
const replay = z.object({ nonce: uuid, keyDigest: secretDigest });
export type Replay = z.infer<typeof replay>;
const replayField = { replay: replay.optional() };

const keyChange = z.object({
  accountId: uuid,
  by,
  keyId: uuid,
  name: z.string().optional(),
  dailyCreditCap: dailyCreditCap.optional(),
});

export const keyCommands = commands({
  /** Lists all working keys and the last hundred revoked ones, newest first. */
  listKeys: {
    request: z.object({ accountId: uuid }),
    reply: z.object({ keys: z.array(apiKey), live_keys: z.number().int(), key_limit: z.number().int() }),
  },

  createKey: {
    request: z.object({ accountId: uuid, by, name: z.string(), dailyCreditCap, ...repeatable }),
    reply: z.object({ key: apiKey, ...replayField }),
    errors: ['key_limit', 'account_closed', 'cap_needs_session', 'idempotency_key_reused', ...keyErrors],
  },

  /**
   * Answers the key of a live session, which is the same until the session ends. The caller derives the secret from the session and the
   * key's id, and sends both for the case that the session has no key yet. A key whose secret the caller cannot derive is sent as
   * `replaces`: it ends.
   */
  createDashboardKey: {
    request: z.object({
      accountId: uuid,
      sessionDigest: secretDigest,
      clientAddress: z.string(),
      keyId: uuid,
      replaces: uuid.optional(),
      ...newSecret,
    }),
    reply: z.object({ key: z.object({ id: uuid, prefix: z.string() }), keyDigest: secretDigest }),
    errors: ['session_required'],
  },

  /** Changes only the given fields; a cap of null removes it. */
  updateKey: {
    request: keyChange,
    reply: z.object({ key: apiKey }),
    errors: ['key_not_found', 'key_revoked', 'cap_needs_session', 'begun_by_another_key', ...keyErrors],
  },

  /** Ends a key now or after the grace period, never later than an earlier call did. Repeating it changes nothing. */
  revokeKey: {
    request: z.object({
      accountId: uuid,
      by,
      keyId: uuid,
      graceHours: z.union([z.literal(0), z.literal(KEY_GRACE_HOURS)]),
    }),
    reply: z.object({ key: apiKey }),
    errors: ['key_not_found', 'begun_by_another_key', ...keyErrors],
  },

  /** Replaces an active key, which works beside the new one for the grace period. */
  rotateKey: {
    request: keyChange.extend(repeatable),
    reply: z.object({ key: apiKey, replaced: apiKey, ...replayField }),
    errors: [
      'key_not_found',
      'key_revoked',
      'key_limit',
      'account_closed',
      'cap_needs_session',
      'idempotency_key_reused',
      ...keyErrors,
    ],
  },
});

/**
 * Whether the work that a key began continues. `active`: yes. `ending`, `retired`: yes, because the key was rotated or ended with a
 * grace period. `revoked`: no, the key was revoked at once.
 */
const keyPhase = z.enum(['active', 'ending', 'retired', 'revoked']);
export type KeyPhase = z.infer<typeof keyPhase>;

export const keyPhaseCommands = commands({
  /**
   * Returns the phase, slot and cap for the work of a key; an ended key has those of the key that has its slot now. A `keyId` of
   * null is work of the account itself, without both. An unknown key is revoked.
   */
  getKeyPhase: {
    request: z.object({ accountId: uuid, keyId: uuid.nullable() }),
    reply: z.object({
      accountStatus,
      tier,
      accountCreatedAt: z.iso.datetime(),
      phase: keyPhase,
      limitId: uuid.nullable(),
      dailyCreditCap: z.number().int().positive().nullable(),
      /** By which the account calls itself; absent from the release before. */
      accountName: line(MAX_ACCOUNT_NAME_LENGTH).nullable().optional(),
      /** The person of the key has a daily cap, which the ledger counts. */
      isPersonCapped: z.boolean().optional(),
      /** The person of the key was removed: nothing more is sent to where their key said. */
      isPersonRemoved: z.boolean().optional(),
      /** Of a removed person's work: a key of the sessions of who has it now. Its use and its person's cap count. */
      payingKeyId: uuid.optional(),
    }),
    errors: ['account_closed'],
  },

  /**
   * Throws `begun_by_another_key` if the key has a cap or is an app's, and what `begunBy` has begun is not under its cap: a key
   * has what it has begun, and what a key has begun that it replaces. A `begunBy` of null is the account itself.
   */
  checkOwnWork: {
    request: z.object({ accountId: uuid, keyId: uuid, begunBy: uuid.nullable() }),
    reply: z.object({}),
    errors: ['begun_by_another_key'],
    isIdempotent: true,
  },
});
