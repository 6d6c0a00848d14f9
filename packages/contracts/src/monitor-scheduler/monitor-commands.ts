import { z } from 'zod';
import { listWithin } from '../bounded.ts';
import { LONGEST_WEBHOOK_URL } from '../bulk-orchestrator/job.ts';
import { commands } from '../contract/define-contract.ts';
import { HOPS_MS, MONITOR_WAIT_MS } from '../deadlines.ts';
import { idempotencyKey } from '../idempotency-key.ts';
import { tier } from '../identity/principal.ts';
import { LONGEST_LANGUAGE_TAG, monitorId, uuid } from '../ids.ts';
import { search } from '../search/contract.ts';
import { webhookDispatcher } from '../webhook-dispatcher/contract.ts';
import { MOST_LISTED_MONITORS, MOST_MONITOR_VIDEOS_A_PAGE, monitor, monitorVideo } from './monitor.ts';

/** What a message holds, with room to spare. */
const MOST_REPLY_BYTES = 400_000;
export const LONGEST_MONITOR_INPUT = 2_048;

const owned = { accountId: uuid, monitorId };
const input = z.string().min(1).max(LONGEST_MONITOR_INPUT);

export const monitorCommands = commands({
  /**
   * Watches a channel or a playlist; what is in its feed now is no news. `isIdempotent` where nothing was created: the same
   * Idempotency-Key has created a monitor before, whatever became of that, or the account watches this source already.
   */
  createMonitor: {
    request: z.object({
      accountId: uuid,
      tier,
      keyId: uuid.nullable(),
      idempotencyKey: idempotencyKey.nullable(),
      source: z.union([z.object({ channel: input }), z.object({ playlist: input })]),
      autoFetch: z.boolean(),
      language: z.string().max(LONGEST_LANGUAGE_TAG),
      fallback: z.boolean(),
      webhookUrl: z.string().max(LONGEST_WEBHOOK_URL).nullable(),
    }),
    reply: z.object({ monitor, isIdempotent: z.boolean() }),
    errors: [
      'invalid_channel',
      'invalid_playlist',
      'monitor_limit',
      'monitor_creation_cap',
      ...search.resolveChannel.errors,
      ...webhookDispatcher.checkWebhookUrl.errors,
    ],
    timeoutMs: MONITOR_WAIT_MS + HOPS_MS,
  },

  /** Those that are not cancelled first, each group newest first; as many as fit into the reply. */
  listMonitors: {
    request: z.object({
      accountId: uuid,
      limit: z.number().int().min(1).max(MOST_LISTED_MONITORS),
      offset: z.number().int().nonnegative(),
    }),
    reply: z.object({
      monitors: listWithin(monitor, MOST_REPLY_BYTES),
      total: z.number().int().nonnegative(),
    }),
  },

  getMonitor: { request: z.object(owned), reply: z.object({ monitor }), errors: ['monitor_not_found'] },

  /** The videos that it has found, newest first; none once it is cancelled. */
  listMonitorVideos: {
    request: z.object({
      ...owned,
      limit: z.number().int().min(1).max(MOST_MONITOR_VIDEOS_A_PAGE),
      offset: z.number().int().nonnegative(),
    }),
    reply: z.object({
      videos: z.array(monitorVideo).max(MOST_MONITOR_VIDEOS_A_PAGE),
      total: z.number().int().nonnegative(),
    }),
    errors: ['monitor_not_found'],
  },

  /** Nothing is looked for any more; jobs that it has begun go on. Repeating it changes nothing. */
  cancelMonitor: { request: z.object(owned), reply: z.object({ monitor }), errors: ['monitor_not_found'] },
});
