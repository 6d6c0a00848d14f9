import type { ServiceError } from '@tds/contracts';
import { type Instruments, type Log, writeRecord } from '@tds/service-kit';
import type { Answer } from './answer.ts';
import { asServiceError, errorAnswer } from './error-answer.ts';
import type { Exchange, GatewayRequest, GatewayResponse } from './exchange.ts';
import { writeAnswer } from './write-answer.ts';

const MS = 1_000;

type Told = { readonly exchange: Exchange; readonly method: string; readonly answer: Answer };

/** What nobody foresaw is shown whole; an expected error is an outcome, with its private cause where there is one. */
const failureFields = (error: ServiceError | null) => {
  if (error === null) return { outcome: 'ok' };
  if (error.code === 'unexpected_error') return { outcome: error.code, error: error.cause ?? error };
  return error.cause === undefined
    ? { outcome: error.code }
    : { outcome: error.code, error: error.cause, level: 'warn' as const };
};

/** The one record and the one measurement per request; no address, no header, no parameter is in them. */
const createRecorder =
  (log: Log, { httpRequestDuration }: Pick<Instruments, 'httpRequestDuration'>) =>
  ({ exchange, method, answer }: Told, error: ServiceError | null): void => {
    const { route, requestId, accountId, keyId, creditsCharged, startedAt } = exchange;
    const durationMs = performance.now() - startedAt;
    const status = String(answer.status);
    httpRequestDuration.observe({ route, method, status }, durationMs / MS);
    writeRecord(log, {
      kind: 'http',
      name: route,
      ...failureFields(error),
      durationMs: Math.round(durationMs * MS) / MS,
      method,
      status: answer.status,
      requestId,
      ...(accountId === null ? {} : { accountId, keyId, creditsCharged }),
      ...(answer.cache === undefined ? {} : { cache: answer.cache }),
    });
  };

export const createFinish = (
  log: Log,
  metrics: Pick<Instruments, 'httpRequestDuration'>,
  publicUrl: string,
) => {
  const record = createRecorder(log, metrics);
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
    record({ exchange, method: request.method, answer }, error);
  };
  return {
    finish: (request: GatewayRequest, response: GatewayResponse, answer: Answer): void =>
      end(request, response, answer, null),
    fail: (request: GatewayRequest, response: GatewayResponse, thrown: unknown): void => {
      const error = asServiceError(thrown);
      end(request, response, errorAnswer(error, response.locals.exchange.requestId, publicUrl), error);
    },
  };
};
export type Finish = ReturnType<typeof createFinish>;
