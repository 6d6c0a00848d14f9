import { serviceErrorData } from '@tds/errors';
import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { COLD_WAIT_MS, HOPS_MS } from '../deadlines.ts';
import { deliveredRow } from '../delivered-row.ts';
import { transcriptSelection } from '../delivered-transcript.ts';
import { line, listWithin, monitorId, uuid, videoId } from '../ids.ts';
import { publicationDay } from '../transcript.ts';
import { MAX_ANSWER_BYTES } from './render-commands.ts';

/** Rows of one batch; positions are below this. */
export const MAX_BATCH_ROWS = 500;
export const MAX_BATCHES_PER_PAGE = 500;

const MAX_MESSAGE_LENGTH = 500;

const batchId = uuid;
const position = z
  .number()
  .int()
  .min(0)
  .max(MAX_BATCH_ROWS - 1);
const version = z.number().int().nonnegative();

/** One attempt at one video: its id is used once, and its result never changes. */
const batchRow = z.object({
  operationId: uuid,
  position,
  videoId,
  /** As a listing or a feed says it: a fetch without it asks the platform once more. */
  publishedAt: publicationDay.nullish(),
});
export type BatchRow = z.infer<typeof batchRow>;

/** Why some rows were not opened; nothing of them is held, counted or stored. */
export const openingRefusal = z.object({
  code: z.enum([
    'insufficient_credits',
    'daily_credit_cap',
    'account_age_ramp',
    'cold_fetch_cap',
    'free_pool_cap',
    'global_cold_cap',
    'account_frozen',
    'account_closed',
    'key_revoked',
    'job_cancelled',
  ]),
  message: line(MAX_MESSAGE_LENGTH),
  /** When the same rows may be opened; null if that is unknown. */
  retryAfterSeconds: z.number().int().nonnegative().nullable(),
  /** For `insufficient_credits` and `daily_credit_cap`: the cost of all cold rows, and the available credits. */
  required: z.number().int().nonnegative().nullable(),
  available: z.number().int().nonnegative().nullable(),
  /** For `insufficient_credits`: the page to buy more. */
  buyUrl: z.string().max(512).nullable(),
});
export type OpeningRefusal = z.infer<typeof openingRefusal>;

const ofRow = { operationId: uuid, position };

const deliveredChange = z.object({
  ...ofRow,
  state: z.literal('delivered'),
  cache: z.enum(['HIT', 'MISS']),
  /** Credits charged for it. */
  charge: z.number().int().min(0).max(1),
  delivery: deliveredRow,
});

const failedChange = z.object({
  ...ofRow,
  state: z.literal('failed'),
  ...serviceErrorData.pick({ code: true, errorClass: true, retryable: true }).shape,
  message: line(MAX_MESSAGE_LENGTH),
  retryAfterSeconds: z.number().int().nonnegative().nullable(),
});

/** `fetching`: its turn has come. `cancelled`: its batch was held or stopped before that. */
const movedChange = z.object({ ...ofRow, state: z.enum(['fetching', 'cancelled']) });

const batchChange = z.discriminatedUnion('state', [deliveredChange, failedChange, movedChange]);
export type BatchChange = z.infer<typeof batchChange>;

/** The position of the last change that was read: rows of one version come by position. */
const changeCursor = z.object({ version, position: z.number().int().min(-1) });
export type ChangeCursor = z.infer<typeof changeCursor>;

const batchState = z.enum(['open', 'held', 'stopped']);

export const batchCommands = commands({
  /**
   * Opens rows of a batch, an account's queue that takes turns with all other batches, behind single reads. Cached rows and known failures
   * end at once. Every other row first gets a credit and counts for the day, as many as fit, in their order. With `isAccepted` false,
   * no cold row begins until the same rows are opened as accepted, and none is opened unless the credits cover all cold rows.
   * Rows that have begun end, and are charged if they are delivered. Open rows are not opened again. Opening resumes a paused batch,
   * never a stopped one.
   */
  submitBatch: {
    request: transcriptSelection.omit({ videoId: true }).extend({
      batchId,
      accountId: uuid,
      /** The key whose present caps hold; null is work of the account itself, under its caps. */
      keyId: uuid.nullable(),
      rows: z.array(batchRow).min(1).max(MAX_BATCH_ROWS),
      /** False while the job is being created. */
      isAccepted: z.boolean(),
      /** The fetcher has lost this batch: rows of it that are already paid cost nothing. */
      isForgotten: z.boolean(),
      /** All of these rows were delivered before, and `deliveriesLost` says that they are lost: they cost nothing. */
      isDelivered: z.boolean().optional(),
      /** The monitor that began the job: its words are looked for in what is delivered. */
      monitorId: monitorId.nullish(),
    }),
    reply: z.object({
      version,
      /** The rows that were not opened, and why. */
      unopened: z.array(uuid).max(MAX_BATCH_ROWS),
      refusal: openingRefusal.nullable(),
      /** Whether some opened rows have ended already. */
      hasChanges: z.boolean(),
    }),
    timeoutMs: COLD_WAIT_MS + HOPS_MS,
    isIdempotent: true,
  },

  /** Ends rows that have not begun and releases their credits. `stopped` is final, even before the first row. */
  pauseBatch: {
    request: z.object({ batchId, accountId: uuid, as: batchState.exclude(['open']) }),
    reply: z.object({ version }),
  },

  /** Returns changes of rows since the cursor, in their order, as many as an answer holds. */
  readChanges: {
    request: z.object({ batchId, after: changeCursor }),
    reply: z.object({
      /** Null if this batch is unknown. */
      batch: z.object({ version, state: batchState }).nullable(),
      rows: listWithin(batchChange, MAX_ANSWER_BYTES),
      /** The new cursor. If its version is the batch's, there is no more. */
      upTo: changeCursor,
    }),
    timeoutMs: COLD_WAIT_MS + HOPS_MS,
  },

  /**
   * Returns the versions of known batches. A caller with an older version has missed changes; one with a newer version, or the same and more
   * ended rows, detects that the fetcher's database was restored.
   */
  batchVersions: {
    request: z.object({ batchIds: z.array(batchId).max(MAX_BATCHES_PER_PAGE) }),
    reply: z.object({
      batches: z
        .array(z.object({ batchId, version, openRows: z.number().int().min(0) }))
        .max(MAX_BATCHES_PER_PAGE),
    }),
  },

  /** Lists batches between ten minutes and eight days old, by id, so that a restored opener can waive batches that it has lost. */
  listBatches: {
    request: z.object({
      after: batchId.nullable(),
      limit: z.number().int().min(1).max(MAX_BATCHES_PER_PAGE),
    }),
    reply: z.object({ batches: z.array(z.object({ batchId, accountId: uuid })).max(MAX_BATCHES_PER_PAGE) }),
  },

  /** Stops a batch that its opener has lost, and refunds its charges. */
  waiveBatch: {
    request: z.object({ batchId, accountId: uuid }),
    reply: z.object({}),
  },
});
