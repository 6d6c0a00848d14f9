import type { ServiceError } from '@tds/contracts';
import {
  failureFields,
  type Instruments,
  type Log,
  type QuickRecords,
  reasonText,
  writeRecord,
} from '@tds/service-kit';
import { type Answer, writeAnswer } from './answer.ts';
import { createCompression } from './compression.ts';
import { endedSetCookie, readSessionCookie } from './cookies.ts';
import {
  asServiceError,
  errorAnswer,
  hasIdempotencyKey,
  namingSupport,
  withOutcome,
} from './error-answer.ts';
import type { Exchange, GatewayRequest, GatewayResponse } from './exchange.ts';

const MS = 1_000;

type Finished = {
  readonly exchange: Exchange;
  readonly method: string;
  readonly answer: Answer;
  readonly milliseconds: number;
};

/** What the record says of a failure: a foreseen one its reason in a line, an unforeseen one its stack. */
const failureOf = (error: ServiceError | null) => {
  if (error === null) return null;
  const { code, cause } = error;
  // What another service did not foresee stands whole in that one's log.
  if (cause === undefined) return code === 'unexpected_error' ? { level: 'error' as const } : null;
  if (code !== 'unexpected_error') return { level: 'warn' as const, reason: reasonText(cause) };
  const fields = failureFields(cause);
  return { level: 'reason' in fields ? ('warn' as const) : ('error' as const), ...fields };
};

/** A session that has ended is sent along for ever unless its cookie is cleared; one that nobody has looked at is not. */
const endsSession = ({ headers }: GatewayRequest, { code }: ServiceError): boolean =>
  code === 'session_required' &&
  headers.authorization === undefined &&
  readSessionCookie(headers.cookie).kind !== 'none';

const withoutSession = (answer: Answer, secure: boolean): Answer => ({
  ...answer,
  headers: [...(answer.headers ?? []), 'Set-Cookie', endedSetCookie(secure)],
});

export type FinishParts = {
  readonly log: Log;
  readonly records: QuickRecords;
  readonly metrics: Pick<Instruments, 'httpRequestDuration'>;
  readonly publicUrl: string;
  readonly supportEmail: string;
  readonly cookieSecure: boolean;
  /** Sums what keys ask for. */
  countUsage(exchange: Exchange, answer: Answer): void;
  /** Sums how long transcripts take. */
  countLatency(exchange: Exchange, answer: Answer, milliseconds: number): void;
};

/**
 * The one record and the one measurement per request; no address, header or parameter is in them. Outcomes that have
 * something to say beside their names go through the log, which redacts; there are too many of the others for that.
 */
const createRecorder =
  ({ log, records, metrics }: FinishParts) =>
  ({ exchange, method, answer, milliseconds }: Finished, error: ServiceError | null): void => {
    const { route: name, requestId, accountId, keyId, creditsCharged } = exchange;
    const status = answer.status;
    metrics.httpRequestDuration.observe(
      { route: name, method, status: String(status), cache: answer.cache ?? '' },
      milliseconds / MS,
    );
    const isAccounts = accountId !== null;
    const fields = {
      kind: 'http' as const,
      name,
      outcome: error === null ? 'ok' : error.code,
      durationMs: Math.round(milliseconds * MS) / MS,
      method,
      status,
      requestId,
      accountId: accountId ?? undefined,
      keyId: isAccounts ? keyId : undefined,
      creditsCharged: isAccounts ? creditsCharged : undefined,
      cache: answer.cache,
    };
    const failure = failureOf(error);
    if (failure === null) records.add(`http ${name}`, fields);
    else writeRecord(log, { ...fields, ...failure });
  };

export const createFinish = (parts: FinishParts) => {
  const { publicUrl, supportEmail, cookieSecure, countUsage, countLatency } = parts;
  const record = createRecorder(parts);
  const end = (
    request: GatewayRequest,
    response: GatewayResponse,
    answer: Answer,
    error: ServiceError | null,
  ): void => {
    const { exchange } = response.locals;
    exchange.creditsCharged = answer.creditsCharged ?? 0;
    if (response.headersSent) response.destroy();
    else writeAnswer(response, exchange, answer);
    const milliseconds = performance.now() - exchange.startedAt;
    record({ exchange, method: request.method, answer, milliseconds }, error);
    countUsage(exchange, answer);
    countLatency(exchange, answer, milliseconds);
  };
  const compressed = createCompression();
  return {
    finish: (request: GatewayRequest, response: GatewayResponse, answer: Answer): void => {
      const sent = compressed(request, answer);
      if (sent instanceof Promise) void sent.then((made) => end(request, response, made, null));
      else end(request, response, sent, null);
    },
    fail: (request: GatewayRequest, response: GatewayResponse, thrown: unknown): void => {
      const { exchange } = response.locals;
      const known = withOutcome(asServiceError(thrown), {
        exchange,
        hasIdempotencyKey: hasIdempotencyKey(request),
      });
      const error = namingSupport(known, supportEmail);
      const answer = errorAnswer(error, exchange.requestId, publicUrl);
      const sent = endsSession(request, error) ? withoutSession(answer, cookieSecure) : answer;
      end(request, response, sent, error);
    },
  };
};
export type Finish = ReturnType<typeof createFinish>;
