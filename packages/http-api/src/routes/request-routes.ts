import {
  creditsLedger,
  identity,
  keptRequests,
  loggedRequest,
  MAX_REQUESTS_PER_PAGE,
  REQUESTS_KEPT_DAYS,
  uuid,
} from '@tds/contracts';
import { isErrorCode } from '@tds/errors';
import { z } from 'zod';
import { causeFields, optionalQueryBoolean, pageBody, pageFields, pathId, queryDay } from '../common-fields.ts';
import { defineRoutes, everyRole, field, okAnswer } from '../define-route.ts';

const REQUESTS_BY_DEFAULT = 20;
/** More than an account keeps of one kind. */
const MAX_REQUESTS_SKIPPED = 100_000;

export const requestRoutes = defineRoutes('Account', {
  listRequests: {
    method: 'GET',
    path: '/v1/requests',
    calls: [creditsLedger.listRequests, identity.listKeys],
    access: 'key-or-session',
    roles: everyRole,
    summary: 'List requests that were charged or failed, newest first',
    description: `The requests of ${REQUESTS_KEPT_DAYS} days, of every key and session of the account, that were charged, that failed, or that were answered 202 and may be charged later: the poll that delivers such a transcript has its charge. Cached reads and other successes are counted by usage only. No body, secret or parameter but the ids of video and job is kept. Costs 0 credits. A request appears within two seconds. An account keeps the newest ${keptRequests.withOneCode} with one error code and ${keptRequests.withoutError} without an error. A flood of one error is logged 120 times a minute; what a killed gateway had not reported is missing. The ledger has every charge.`,
    query: {
      ...pageFields(MAX_REQUESTS_PER_PAGE, REQUESTS_BY_DEFAULT, MAX_REQUESTS_SKIPPED),
      key_id: field(uuid.optional(), 'key_not_found', 'Only with this key'),
      ...causeFields,
      code: field(z.string().refine(isErrorCode).optional(), 'invalid_error_code', 'Only with this error code'),
      failed: field(optionalQueryBoolean, 'invalid_failed', 'true: only with an error; false: only without'),
      from: field(queryDay.optional(), 'invalid_usage_date', 'First UTC day'),
      to: field(queryDay.optional(), 'invalid_usage_date', 'Last UTC day'),
    },
    responses: {
      200: okAnswer('A page of requests', 'RequestList', { requests: z.array(loggedRequest), ...pageBody }),
    },
    errors: ['invalid_usage_range'],
  },

  getRequest: {
    method: 'GET',
    path: '/v1/requests/{requestId}',
    calls: [creditsLedger.getRequest],
    access: 'key-or-session',
    roles: everyRole,
    summary: 'Get a request by its id',
    description:
      'The id is X-Request-Id of the answer, and request_id of an error. 404 for requests that are not in the log (see GET /v1/requests).',
    params: { requestId: pathId('request', 'request_not_logged') },
    responses: {
      200: okAnswer('The request', 'RequestLogEntryResponse', { request: loggedRequest }),
    },
  },
});
