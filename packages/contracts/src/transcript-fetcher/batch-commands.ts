import { z } from 'zod';
import { line, listWithin } from '../bounded.ts';
import { commands } from '../contract/define-contract.ts';
import { serviceErrorData } from '../errors/service-error.ts';
import { tier } from '../identity/principal.ts';
import { uuid, videoId } from '../ids.ts';
import { languageDelivery, transcriptFormat, videoDetails } from '../transcript.ts';
import { LONGEST_OBJECT_KEY, transcriptSelection } from './delivered-transcript.ts';
import { COLD_WAIT_MS, HOPS_MS } from './transcript-commands.ts';

/** As many rows as one batch may have. */
export const MOST_BATCH_ROWS = 500;
/** An answer (bytes) that may be several hundred rows, and is well below what the bus takes. */
const LARGEST_ANSWER = 240 * 1_024;

const LONGEST_STRATEGY = 64;
const LONGEST_MESSAGE = 500;

/** A file in the object store, raw-deflated there; bytes and sha256 are of the file itself. */
const storedFile = {
  objectKey: z.string().max(LONGEST_OBJECT_KEY),
  bytes: z.number().int().nonnegative(),
  sha256: z.string().max(64),
};

/** Of the file itself, as archives need it. */
const crc32 = z.number().int().min(0).max(0xffff_ffff);

const retryAfterSeconds = z.number().int().nonnegative().nullable();

const deliveredRow = z.object({
  operationId: uuid,
  state: z.literal('delivered'),
  cache: z.enum(['HIT', 'MISS']),
  /** What the caller owes for this row: its operation fetched a track that was not cached and that its account has not paid for. */
  charge: z.number().int().min(0).max(1),
  transcriptId: uuid,
  /** As it was when the track was fetched. */
  video: videoDetails,
  language: languageDelivery,
  /** What brought the track from the platform, whenever that was; null if nobody has kept it. */
  strategy: line(LONGEST_STRATEGY).nullable(),
  format: transcriptFormat,
  ...storedFile,
  fetchedAt: z.iso.datetime(),
});

const failedRow = z.object({
  operationId: uuid,
  state: z.literal('failed'),
  ...serviceErrorData.pick({ code: true, errorClass: true, retryable: true }).shape,
  message: line(LONGEST_MESSAGE),
  retryAfterSeconds,
});

/** Nothing was opened: a daily cap is full. */
const refusedRow = z.object({
  operationId: uuid,
  state: z.literal('refused'),
  code: z.enum(['account_age_ramp', 'cold_fetch_cap', 'free_pool_cap', 'global_cold_cap']),
  retryAfterSeconds,
});

export const batchOutcome = z.discriminatedUnion('state', [deliveredRow, failedRow, refusedRow]);
export type BatchOutcome = z.infer<typeof batchOutcome>;

/** A row is an operation from the first time that it is sent until it is told how it ended. */
export const batchRow = z.object({ operationId: uuid, videoId });
export type BatchRow = z.infer<typeof batchRow>;

const selection = transcriptSelection.omit({ videoId: true });

export const batchCommands = commands({
  /**
   * Serves many rows of one account from the cache, or opens an operation for each that has to be fetched. Answers as soon as
   * some have ended, or after the wait, one outcome for each of them; rows that are not in the answer are under way, or did not
   * fit. Sent again with the same ids they are the same operations; an id that nobody knows is opened. These operations
   * hold no credit: whoever asks pays each row's `charge`, in the end and once. Nobody waits for them: what is asked for
   * interactively goes first, and accounts have equal shares.
   */
  fetchTranscripts: {
    request: selection.extend({
      accountId: uuid,
      /** Under which the day's cold fetches count; without a key those of an account count together. */
      keyId: uuid.nullable(),
      limitId: uuid.optional(),
      tier,
      accountCreatedAt: z.iso.datetime(),
      rows: z.array(batchRow).max(MOST_BATCH_ROWS),
      waitMs: z.number().int().nonnegative().max(COLD_WAIT_MS),
    }),
    reply: z.object({ rows: listWithin(batchOutcome, LARGEST_ANSWER) }),
    timeoutMs: COLD_WAIT_MS + HOPS_MS,
  },

  /**
   * What of these videos would be answered at once: `cached` as a hit, `failed` with what is known to stand in its way. Both
   * are what is true now.
   */
  findCachedSelections: {
    request: selection.omit({ format: true }).extend({ videoIds: z.array(videoId).max(MOST_BATCH_ROWS) }),
    reply: z.object({
      cached: z.array(videoId).max(MOST_BATCH_ROWS),
      failed: z.array(videoId).max(MOST_BATCH_ROWS),
    }),
  },

  /** The files of cached transcripts in one more format; renders and stores those that are missing or lost. Those that do
   * not fit into the answer are not in it. */
  renderTranscripts: {
    request: z.object({ format: transcriptFormat, transcriptIds: z.array(uuid).max(MOST_BATCH_ROWS) }),
    reply: z.object({
      rows: listWithin(
        z.discriminatedUnion('state', [
          z.object({ transcriptId: uuid, state: z.literal('rendered'), ...storedFile, crc32 }),
          z.object({
            transcriptId: uuid,
            state: z.literal('failed'),
            /** Its cues are lost: they are fetched again if the call names an account, and found by who asks later. */
            code: z.literal('cache_object_missing'),
          }),
        ]),
        LARGEST_ANSWER,
      ),
    }),
    timeoutMs: COLD_WAIT_MS + HOPS_MS,
  },
});
