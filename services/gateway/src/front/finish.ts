import {
  failureFields,
  type Instruments,
  type Log,
  type QuickRecords,
  reasonText,
  writeRecord,
} from '@tds/base';
import { MAX_PROJECTED_FILE_BYTES } from '@tds/contracts';
import type { ServiceError } from '@tds/errors';
import {
  type Answer,
  asServiceError,
  describeError,
  type Exchange,
  errorAnswer,
  type GatewayRequest,
  type GatewayResponse,
  sessionCookie,
} from '../wire/index.ts';
import { createCompression } from './compression.ts';
import type { FrontDeps } from './front-deps.ts';
import { asAppRefusal } from './input/credentials.ts';
import { endBodySoon } from './input/request-body.ts';
import { writeAnswer } from './write-answer.ts';

const MS = 1_000;

type Completion = {
  readonly exchange: Exchange;
  readonly method: string;
  readonly answer: Answer;
  readonly milliseconds: number;
  /** Of the body. */
  readonly bytes: number;
};

/** Limits count requests. The bytes of these bodies are counted, because few requests make many of them. */
const isLarge = (bytes: number): boolean => bytes > MAX_PROJECTED_FILE_BYTES;

/** The log fields of a failure: one line for a foreseen failure, the stack for an unforeseen one. */
const toFailureFields = (error: ServiceError | null) => {
  if (error === null) return null;
  const { code, cause } = error;
  // The stack of another service's unexpected error is in that service's log.
  if (cause === undefined) return code === 'unexpected_error' ? { level: 'error' as const } : null;
  if (code !== 'unexpected_error') return { level: 'warn' as const, reason: reasonText(cause) };
  const fields = failureFields(cause);
  return { level: 'reason' in fields ? ('warn' as const) : ('error' as const), ...fields };
};

/**
 * Clears the cookie of an ended session, which browsers would send for ever; but not if a key came with it,
 * because then the session was not checked.
 */
const endsSession = ({ headers }: GatewayRequest, { code }: ServiceError): boolean =>
  code === 'session_required' &&
  headers.authorization === undefined &&
  sessionCookie.read(headers.cookie).kind !== 'none';

type FinishDeps = Pick<FrontDeps, 'config' | 'usage' | 'latency' | 'logRequest'> & {
  readonly log: Log;
  readonly records: QuickRecords;
  readonly metrics: Pick<Instruments, 'httpRequestDuration'>;
  countLargeBody(route: string, bytes: number): void;
};

/** The fields of a record as the inside of a JSON object. None of them needs to be escaped. */
const recordText = ({ exchange, method, answer, milliseconds, bytes }: Completion, outcome: string): string => {
  const { route, requestId, accountId, keyId, creditsCharged } = exchange;
  const keyText = keyId === null ? 'null' : `"${keyId}"`;
  const accountText =
    accountId === null
      ? ''
      : `,"accountId":"${accountId}","keyId":${keyText},"creditsCharged":${creditsCharged}`;
  const cache = answer.cache === undefined ? '' : `,"cache":"${answer.cache}"`;
  const durationMs = Math.round(milliseconds * MS) / MS;
  return `"kind":"http","name":"${route}","outcome":"${outcome}","durationMs":${durationMs},"method":"${method}","status":${answer.status},"requestId":"${requestId}"${accountText}${cache}${isLarge(bytes) ? `,"bytes":${bytes}` : ''}`;
};

/**
 * Writes the one record and the one measurement of a request. They contain no address, header or parameter.
 * Failures with details go through the redacting log; the others are too many for it.
 */
const createRecorder =
  ({ log, records, metrics, countLargeBody }: FinishDeps) =>
  (completion: Completion, error: ServiceError | null): void => {
    const { exchange, method, answer, milliseconds, bytes } = completion;
    const { route } = exchange;
    if (isLarge(bytes)) countLargeBody(route, bytes);
    metrics.httpRequestDuration.observe(
      { route, method, status: String(answer.status), cache: answer.cache ?? '' },
      milliseconds / MS,
    );
    const text = recordText(completion, error === null ? 'ok' : error.code);
    const failure = toFailureFields(error);
    if (failure === null) records.add(`http ${route}`, text);
    else writeRecord(log, { ...JSON.parse(`{${text}}`), ...failure });
  };

export const createFinish = (deps: FinishDeps) => {
  const { usage, latency, logRequest } = deps;
  const { publicUrl, supportEmail, cookieSecure } = deps.config;
  const record = createRecorder(deps);
  const end = (
    request: GatewayRequest,
    response: GatewayResponse,
    answer: Answer,
    error: ServiceError | null,
  ): void => {
    const { exchange } = response.locals;
    exchange.creditsCharged = answer.creditsCharged ?? 0;
    let bytes = 0;
    if (response.headersSent) response.destroy();
    else bytes = writeAnswer(response, exchange, answer, cookieSecure);
    endBodySoon(request);
    const milliseconds = performance.now() - exchange.startedAt;
    record({ exchange, method: request.method, answer, milliseconds, bytes }, error);
    usage.count(exchange, error === null ? answer : { ...answer, status: error.status });
    latency.count(exchange, answer, milliseconds);
    logRequest(exchange, answer.status, error, milliseconds);
  };
  const compress = createCompression();
  return {
    finish: (request: GatewayRequest, response: GatewayResponse, answer: Answer): void => {
      const encodedAnswer = compress(request, answer);
      if (encodedAnswer instanceof Promise)
        void encodedAnswer.then((result) => end(request, response, result, answer.failure ?? null));
      else end(request, response, encodedAnswer, answer.failure ?? null);
    },
    /** Records an answer that a library has written. */
    recordResponse: (request: GatewayRequest, { locals: { exchange }, statusCode }: GatewayResponse): void => {
      const milliseconds = performance.now() - exchange.startedAt;
      const answer = { status: statusCode };
      record({ exchange, method: request.method, answer, milliseconds, bytes: 0 }, null);
    },
    /** Returns the status of the answer. */
    fail: (request: GatewayRequest, response: GatewayResponse, thrown: unknown): number => {
      const { exchange } = response.locals;
      const hasIdempotencyKey = request.headers['idempotency-key'] !== undefined;
      const refusal = asAppRefusal(asServiceError(thrown), request);
      const error = describeError(refusal, { exchange, hasIdempotencyKey }, supportEmail);
      const answer = errorAnswer(error, exchange.requestId, publicUrl);
      const cookie = endsSession(request, error) ? ['Set-Cookie', sessionCookie.end(cookieSecure)] : [];
      end(request, response, { ...answer, headers: [...(answer.headers ?? []), ...cookie] }, error);
      return answer.status;
    },
  };
};
export type Finish = ReturnType<typeof createFinish>;
