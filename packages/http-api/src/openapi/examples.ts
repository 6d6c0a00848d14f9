import { type ErrorCode, type ErrorExtras, serviceError } from '@tds/errors';
import { toEnvelope } from '../envelope.ts';
import recorded from './examples.json' with { type: 'json' };
import type { Json } from './schemas.ts';

/** The address in recorded answers. */
export const EXAMPLE_ORIGIN = 'https://api.example';
const EXAMPLE_REQUEST = '01900000-0000-7000-8000-000000000000';

const errorByStatus: Readonly<Record<number, ErrorCode>> = {
  400: 'unknown_parameter',
  401: 'session_required',
  403: 'invalid_api_key',
  404: 'job_not_found',
  408: 'request_timeout',
  409: 'job_not_ended',
  410: 'video_unavailable',
  412: 'precondition_failed',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  422: 'idempotency_key_reused',
  431: 'headers_too_large',
  500: 'unexpected_error',
  502: 'upstream_error',
  503: 'service_unavailable',
};
const retryLater = { retryAfterSeconds: 30 };
const creditShortfall = { required: 1, available: 0, shortfall: 1, buy_url: `${EXAMPLE_ORIGIN}/buy` };

const createError = (status: number) => {
  if (status === 402) return serviceError('insufficient_credits', { extras: creditShortfall });
  if (status === 405)
    return serviceError('method_not_allowed', { extras: { allow: ['GET', 'HEAD', 'OPTIONS'] } });
  if (status === 416) return serviceError('range_not_satisfiable', { extras: { bytes: 1_024 } });
  if (status === 429) return serviceError('rate_limit', retryLater);
  const code = errorByStatus[status];
  if (code === undefined) throw new Error(`no example of an error with status ${status}`);
  return serviceError(code as Exclude<ErrorCode, keyof ErrorExtras>, status >= 500 ? retryLater : {});
};

/** The example of an error answer, made by the code that answers errors. */
export const errorExample = (status: number): { readonly name: string; readonly value: Json } => {
  const error = createError(status);
  return { name: error.code, value: toEnvelope(error, EXAMPLE_REQUEST, EXAMPLE_ORIGIN) };
};

/** Answers of a running system, by the name of their schema; a test of the stories records them. */
export const recordedExamples: Readonly<Record<string, unknown>> = recorded;
