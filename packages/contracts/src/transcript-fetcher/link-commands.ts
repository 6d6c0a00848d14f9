import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { deliveredTranscript } from '../delivered-transcript.ts';
import { idempotencyKey } from '../idempotency-key.ts';
import { count, line, listWithin, namedObject, time, uuid, videoId } from '../ids.ts';
import { MAX_PREFERENCE_LENGTH } from '../language-preference.ts';
import { MAX_ACCOUNT_NAME_LENGTH } from '../limits.ts';
import { libraryTranscript } from './library-commands.ts';
import { MAX_ANSWER_BYTES } from './render-commands.ts';

/** Of an account: live ones at one time, and new ones of a UTC day. */
export const MAX_LIVE_LINKS = 100;
export const MAX_NEW_LINKS_A_DAY = 50;

export const LINK_DAYS = 30;
export const MAX_LINK_DAYS = 90;

const preference = z.string().max(MAX_PREFERENCE_LENGTH);
const second = z.number().nonnegative();
const { received_at: _, ...facts } = libraryTranscript.shape;

/** A transcript, or a quote of it, that who has the address reads without an account. */
export const sharedLink = namedObject('SharedLink', {
  id: uuid,
  person_id: uuid.describe('Who handed it on'),
  ...facts,
  requested: preference.describe('The language that was asked for'),
  start: second.nullable().describe('The quote, in seconds of the video; null: the whole transcript'),
  end: second.nullable(),
  created_at: time,
  ends_at: time.describe('Of one that was taken back, when it was'),
  opens: count.describe('How often it was read, also by programs that make previews'),
});
export type SharedLink = z.infer<typeof sharedLink>;

const ofAccount = { accountId: uuid, linkId: uuid };

export const linkCommands = commands({
  /** Makes a link to a transcript that the account has received, or answers the one of the same Idempotency-Key. */
  createLink: {
    request: z.object({
      accountId: uuid,
      keyId: uuid,
      personId: uuid,
      videoId,
      /** In canonical form. Without it, the newest that the account has received of the video. */
      language: preference.optional(),
      start: second.optional(),
      end: second.optional(),
      days: z.number().int().min(1).max(MAX_LINK_DAYS),
      idempotencyKey: idempotencyKey.nullable(),
    }),
    reply: z.object({ link: sharedLink, isReplayed: z.boolean() }),
    errors: [
      'transcript_not_received',
      'invalid_quote',
      'idempotency_key_reused',
      'link_limit',
      'link_creation_cap',
    ],
  },

  /** The live links of an account, newest first. */
  listLinks: {
    request: z.object({ accountId: uuid }),
    reply: z.object({ links: listWithin(sharedLink, MAX_ANSWER_BYTES) }),
  },

  /** One link, also for some days after its end. */
  getLink: {
    request: z.object(ofAccount),
    reply: z.object({ link: sharedLink }),
    errors: ['link_not_found'],
  },

  /** Ends a link at once. A repeat changes nothing. */
  endLink: {
    request: z.object({ ...ofAccount, keyId: uuid.nullable() }),
    reply: z.object({ link: sharedLink }),
    errors: ['link_not_found', 'begun_by_another_key'],
    isIdempotent: true,
  },

  /** What a live link leads to. Throws `link_not_found` also if its account is not active, or its key was revoked at once. */
  openLink: {
    request: z.object({ linkId: uuid, isCounted: z.boolean() }),
    reply: z.object({
      link: sharedLink,
      accountName: line(MAX_ACCOUNT_NAME_LENGTH).nullable(),
      transcript: deliveredTranscript,
    }),
    errors: ['link_not_found', 'cache_object_missing'],
    isIdempotent: false,
  },
});

/** Only this service listens, so that a link stays ended after a restore. */
export const linkEnded = { payload: z.object({ ...ofAccount, endedAt: time }) };
