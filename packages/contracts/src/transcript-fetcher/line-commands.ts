import { z } from 'zod';
import { line, listWithin } from '../bounded.ts';
import { commands } from '../contract/define-contract.ts';
import { COLD_WAIT_MS, HOPS_MS } from '../deadlines.ts';
import { serviceErrorData } from '../errors/service-error.ts';
import { uuid, videoId } from '../ids.ts';
import { transcriptDelivery, transcriptSelection } from './delivered-transcript.ts';
import { crc32, LARGEST_ANSWER } from './render-commands.ts';

/** As many rows as one line may have; their positions are below this. */
export const MOST_LINE_ROWS = 500;
export const MOST_LINES_A_PAGE = 500;

const LONGEST_STRATEGY = 64;
const LONGEST_MESSAGE = 500;

const lineId = uuid;
const position = z
  .number()
  .int()
  .min(0)
  .max(MOST_LINE_ROWS - 1);
const version = z.number().int().nonnegative();

/** One attempt at one video: its id is used once, and what became of it never changes. */
export const lineRow = z.object({ operationId: uuid, position, videoId });
export type LineRow = z.infer<typeof lineRow>;

/** Why some rows were not opened: nothing is held, counted or kept of them. */
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
  message: line(LONGEST_MESSAGE),
  /** When the same rows may be opened; null if that is unknown. */
  retryAfterSeconds: z.number().int().nonnegative().nullable(),
  /** Of `insufficient_credits` and `daily_credit_cap`: credits that all cold rows cost, and those that are there. */
  required: z.number().int().nonnegative().nullable(),
  available: z.number().int().nonnegative().nullable(),
  /** Of `insufficient_credits`: where the customer buys more. */
  buyUrl: z.string().max(512).nullable(),
});
export type OpeningRefusal = z.infer<typeof openingRefusal>;

const ofRow = { operationId: uuid, position };

const deliveredNews = z.object({
  ...ofRow,
  ...transcriptDelivery,
  crc32,
  /** Credits charged for it. */
  charge: z.number().int().min(0).max(1),
  transcriptId: uuid,
  /** The strategy that fetched the track, whenever that was. */
  strategy: line(LONGEST_STRATEGY),
});

const failedNews = z.object({
  ...ofRow,
  state: z.literal('failed'),
  ...serviceErrorData.pick({ code: true, errorClass: true, retryable: true }).shape,
  message: line(LONGEST_MESSAGE),
  retryAfterSeconds: z.number().int().nonnegative().nullable(),
});

/** `fetching`: its turn has come. `cancelled`: its line was held or stopped before that. */
const movedNews = z.object({ ...ofRow, state: z.enum(['fetching', 'cancelled']) });

export const rowNews = z.discriminatedUnion('state', [deliveredNews, failedNews, movedNews]);
export type RowNews = z.infer<typeof rowNews>;

/** How far news were read: rows of a version come by their position. */
const newsCursor = z.object({ version, position: z.number().int().min(-1) });
export type NewsCursor = z.infer<typeof newsCursor>;

const lineState = z.enum(['open', 'held', 'stopped']);

export const lineCommands = commands({
  /**
   * Opens rows of a line: a queue of one account whose rows are fetched in turn with those of all other lines, behind single reads.
   * A row that is cached or known to fail ends at once; each other row gets a credit and counts for the day before it is fetched,
   * as many of them as fit, in their order. Of a job that is not accepted yet nothing cold begins before the same rows are opened again
   * as accepted, and nothing is opened if the credits do not cover all that is cold, whatever a cap of the day leaves of it.
   * Whatever has begun ends, and is charged if it is delivered. Rows that were opened before are not opened again; a line that was held
   * is open again, a stopped one never is.
   */
  openLine: {
    request: transcriptSelection.omit({ videoId: true }).extend({
      lineId,
      accountId: uuid,
      /** Whose caps of now hold; null is the account's own work, which has those of an account. */
      keyId: uuid.nullable(),
      rows: z.array(lineRow).min(1).max(MOST_LINE_ROWS),
      /** False while the job is being created. */
      isAccepted: z.boolean(),
      /** The fetcher has forgotten this line: what of it is paid already costs nothing. */
      isForgotten: z.boolean(),
    }),
    reply: z.object({
      version,
      /** Those that are not opened, and why. */
      unopened: z.array(uuid).max(MOST_LINE_ROWS),
      refusal: openingRefusal.nullable(),
      /** Whether some of the others have ended by now. */
      hasNews: z.boolean(),
    }),
    timeoutMs: COLD_WAIT_MS + HOPS_MS,
  },

  /** Ends all that has not begun and gives its credits back; `stopped` is for ever, also if it comes before the first row. */
  haltLine: {
    request: z.object({ lineId, accountId: uuid, as: lineState.exclude(['open']) }),
    reply: z.object({ version }),
  },

  /** What became of rows since the cursor, in the order of their news, as much as an answer holds. */
  readNews: {
    request: z.object({ lineId, after: newsCursor }),
    reply: z.object({
      /** Null if this line is unknown. */
      line: z.object({ version, state: lineState }).nullable(),
      rows: listWithin(rowNews, LARGEST_ANSWER),
      /** Up to where; with the version of the line, that was all. */
      upTo: newsCursor,
    }),
    timeoutMs: COLD_WAIT_MS + HOPS_MS,
  },

  /**
   * The versions of those lines that are known. A caller with an older one has missed news; with a newer one, or with the same one and more
   * ended rows, it sees that the fetcher's database was restored.
   */
  lineVersions: {
    request: z.object({ lineIds: z.array(lineId).max(MOST_LINES_A_PAGE) }),
    reply: z.object({
      lines: z.array(z.object({ lineId, version, openRows: z.number().int().min(0) })).max(MOST_LINES_A_PAGE),
    }),
  },

  /** Lines of the last eight days that are older than ten minutes, by id: a service that has lost the lines it opened disowns them. */
  listLines: {
    request: z.object({ after: lineId.nullable(), limit: z.number().int().min(1).max(MOST_LINES_A_PAGE) }),
    reply: z.object({ lines: z.array(z.object({ lineId, accountId: uuid })).max(MOST_LINES_A_PAGE) }),
  },

  /** Stops a line that its opener has lost, and gives back its charges. */
  disownLine: {
    request: z.object({ lineId, accountId: uuid }),
    reply: z.object({}),
  },
});
