import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { count, namedObject, uuid, videoId } from '../ids.ts';
import { cause, causeFilter } from './usage-commands.ts';

const MAX_NAME_LENGTH = 64;
const MAX_COUNT = 2_147_483_647;

/** Rows of one report of a gateway. */
export const MAX_REPORTED_REQUESTS = 500;
export const MAX_REQUESTS_PER_PAGE = 100;
/** How long a request stays in the log. */
export const REQUESTS_KEPT_DAYS = 7;
/** An account keeps so many of its newest requests with one error code, and of those without an error. */
export const keptRequests = { withOneCode: 2_000, withoutError: 10_000 } as const;

/** A request that was charged, that failed, or that began work which may be charged later. */
export const loggedRequest = namedObject('RequestLogEntry', {
  request_id: uuid.describe('X-Request-Id of its answer'),
  created_at: z.iso.datetime().describe('When it arrived'),
  key_id: uuid.nullable().describe('Null for a session of the dashboard'),
  route: z
    .string()
    .max(MAX_NAME_LENGTH)
    .describe('The operationId in this document; tools of assistants are sendMcpMessage'),
  status: z.number().int().min(100).max(599).describe('The status of the answer'),
  code: z.string().max(MAX_NAME_LENGTH).nullable().describe('The code of its error; null if it succeeded'),
  credits_charged: count.max(MAX_COUNT).describe('X-Credits-Charged of the answer'),
  duration_ms: count.max(MAX_COUNT).describe('Milliseconds until the answer'),
  video_id: videoId.nullable().describe('The video that it is about, if it is about one'),
  job_id: uuid.nullable().describe('The job that it is about; its videos are charged there'),
  ...cause,
});
export type LoggedRequest = z.infer<typeof loggedRequest>;

/** The id has the time of arrival in it. */
const reportedRequest = loggedRequest.omit({ created_at: true, via: true }).extend({ account_id: uuid });
export type ReportedRequest = z.infer<typeof reportedRequest>;

const page = z.object({
  accountId: uuid,
  ...causeFilter,
  /** Only with this error code. */
  code: z.string().max(MAX_NAME_LENGTH).nullable(),
  /** Only with an error, or only without. */
  failed: z.boolean().nullable(),
  /** UTC days, both included. */
  from: z.iso.date().nullable(),
  to: z.iso.date().nullable(),
  limit: z.number().int().min(1).max(MAX_REQUESTS_PER_PAGE),
  offset: count.max(MAX_COUNT),
});

export const requestCommands = commands({
  /** Adds requests that a gateway has answered. The first row of an id stays; closed accounts get none. */
  recordRequests: {
    request: z.object({ requests: z.array(reportedRequest).min(1).max(MAX_REPORTED_REQUESTS) }),
    reply: z.object({ added: count }),
  },

  /** Newest first. */
  listRequests: {
    request: page,
    reply: z.object({
      requests: z.array(loggedRequest).max(MAX_REQUESTS_PER_PAGE),
      total: count,
      /** Whether the ledger knows the requested key; true without one. */
      isKnownKey: z.boolean(),
    }),
  },

  getRequest: {
    request: z.object({ accountId: uuid, requestId: uuid }),
    reply: z.object({ request: loggedRequest }),
    errors: ['request_not_logged'],
  },
});
