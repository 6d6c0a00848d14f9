import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { HOPS_MS, MONITOR_WAIT_MS } from '../deadlines.ts';
import { idempotencyKey } from '../idempotency-key.ts';
import { count, listWithin, monitorId, pageOf, uuid } from '../ids.ts';
import { MAX_WEBHOOK_URL_LENGTH } from '../job.ts';
import { MAX_PREFERENCE_LENGTH } from '../language-preference.ts';
import { listingContents } from '../listing-contents.ts';
import { monitorMail } from '../mail.ts';
import {
  MAX_LISTED_MONITORS,
  MAX_MONITOR_INPUT_LENGTH,
  MAX_MONITOR_VIDEOS_PER_PAGE,
  monitor,
  monitorSettings,
  monitorVideo,
  words,
} from '../monitor.ts';
import { tier } from '../principal.ts';
import { receiverIds } from '../receiver-ids.ts';
import { search } from '../search/index.ts';
import { webhookDispatcher } from '../webhook-dispatcher/index.ts';

/** What a message holds, with room to spare. */
const MAX_REPLY_BYTES = 400_000;

const owned = { accountId: uuid, monitorId };
/** The key that asks, or null for a session; absent from the release before, which changes all. */
const by = { keyId: uuid.nullable().optional() };
const input = z.string().min(1).max(MAX_MONITOR_INPUT_LENGTH);

export const monitorCommands = commands({
  /**
   * Watches a channel or a playlist; the videos in its feed now are not new. `isIdempotent` if nothing was created: the same
   * Idempotency-Key has created a monitor before, whatever became of that, or the account watches this source already.
   */
  createMonitor: {
    request: z.object({
      accountId: uuid,
      tier,
      keyId: uuid.nullable(),
      personId: uuid.nullish(),
      idempotencyKey: idempotencyKey.nullable(),
      source: z.union([
        /** All of it, if it does not say. */
        z.object({ channel: input, contents: listingContents.optional() }),
        z.object({ playlist: input }),
      ]),
      autoFetch: z.boolean(),
      words: words.default([]),
      mail: monitorMail.default('none'),
      mailOnlyMatches: z.boolean().default(false),
      language: z.string().max(MAX_PREFERENCE_LENGTH),
      fallback: z.boolean(),
      webhookUrl: z.string().max(MAX_WEBHOOK_URL_LENGTH).nullable(),
      receivers: receiverIds.optional(),
    }),
    reply: z.object({ monitor, isIdempotent: z.boolean() }),
    errors: [
      'invalid_channel',
      'invalid_playlist',
      'monitor_limit',
      'monitor_creation_cap',
      'invalid_words',
      'words_need_auto_fetch',
      ...search.resolveChannel.errors,
      ...webhookDispatcher.checkWebhookUrl.errors,
      ...webhookDispatcher.checkReceivers.errors,
    ],
    timeoutMs: MONITOR_WAIT_MS + HOPS_MS,
  },

  /** Those that are not cancelled first, each group newest first; as many as fit into the reply. */
  listMonitors: {
    request: z.object({ accountId: uuid, ...pageOf(MAX_LISTED_MONITORS) }),
    reply: z.object({ monitors: listWithin(monitor, MAX_REPLY_BYTES), total: count }),
  },

  getMonitor: { request: z.object(owned), reply: z.object({ monitor }), errors: ['monitor_not_found'] },

  /** The videos that it has found, newest first; the last 100 once it is cancelled. */
  listMonitorVideos: {
    request: z.object({ ...owned, ...pageOf(MAX_MONITOR_VIDEOS_PER_PAGE) }),
    reply: z.object({ videos: z.array(monitorVideo).max(MAX_MONITOR_VIDEOS_PER_PAGE), total: count }),
    errors: ['monitor_not_found'],
  },

  /**
   * Changes what is given. Videos from then on are fetched if it fetches now; words count for transcripts that are not matched yet. If it
   * fetches and this or its words changed, it is one of the asking key from then on, unless it waits for a key.
   */
  changeMonitor: {
    request: z.object({
      ...{ ...owned, ...by, receivers: receiverIds.optional() },
      ...z.object(monitorSettings).partial().shape,
    }),
    reply: z.object({ monitor }),
    errors: [
      ...(['monitor_not_found', 'invalid_words', 'words_need_auto_fetch', 'begun_by_another_key'] as const),
      ...webhookDispatcher.checkReceivers.errors,
    ],
    isIdempotent: true,
  },

  /** Nothing is looked for any more; jobs that it has begun go on. Repeating it changes nothing. */
  cancelMonitor: {
    request: z.object({ ...owned, ...by }),
    reply: z.object({ monitor }),
    errors: ['monitor_not_found', 'begun_by_another_key'],
  },

  /**
   * A monitor whose key was revoked goes on as one of the requesting key, without the webhook URL that the old key gave. Answers any
   * other one unchanged.
   */
  resumeMonitor: {
    request: z.object({ ...owned, keyId: uuid.nullable() }),
    reply: z.object({ monitor }),
    errors: ['monitor_not_found'],
  },
});
