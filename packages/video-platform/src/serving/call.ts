import { createDeadline, DeadlinePassed } from '@tds/base';
import { secondsToNextUtcDay } from '@tds/contracts';
import { PlatformError, type PlatformErrorCode, platformError } from '../errors/platform-error.ts';
import type { MonitoredCircuit } from '../health/index.ts';
import type { Call } from '../types.ts';
import { type Engine, type Plan, planRoutes, type Route } from './engine.ts';

export const cancellationError = (call: Call): PlatformError | null =>
  call.signal?.aborted
    ? platformError('upstream_error', { message: 'The request was cancelled.', cause: call.signal.reason })
    : null;

export const timeoutError = () => new DeadlinePassed('The platform took too long.');

/** A call under way: its routes, its caller, and a signal that fires with the caller's own or at the call's deadline. */
export type OpenCall = {
  readonly plan: Plan;
  readonly callerId: string | null;
  readonly signal: AbortSignal;
};

export const withinCall = async <T>(
  engine: Engine,
  call: Call,
  work: (open: OpenCall) => Promise<T>,
  timeoutMs = engine.limits.callMs,
): Promise<T> => {
  using deadline = createDeadline(timeoutMs, call.signal, timeoutError);
  const callerId = call.callerId ?? null;
  return await work({ plan: await planRoutes(engine, callerId), callerId, signal: deadline.signal });
};

const routeCodes: ReadonlySet<string> = new Set<PlatformErrorCode>([
  'ip_blocked',
  'rate_limited',
  'upstream_error',
]);

/** If a spent budget left no exit, or only blocked ones, the caller waits until it refills. */
const orBudgetExhausted = (engine: Engine, plan: Plan, error: PlatformError): PlatformError =>
  plan.isBudgetSpent &&
  (plan.routes.length === 0 || error.code === 'ip_blocked' || error.code === 'rate_limited')
    ? platformError('budget_exhausted', {
        retryAfterSeconds: secondsToNextUtcDay(engine.clock()),
        wasAsked: error.wasAsked,
        cause: error,
      })
    : error;

/** If every circuit is open, the caller waits for the first probe. */
export const withRetryAfter = (circuits: readonly MonitoredCircuit[], error: PlatformError): PlatformError => {
  const dueInMs = Math.min(...circuits.map((circuit) => circuit.dueInMs()));
  const isKnown = Number.isFinite(dueInMs) && dueInMs > 0;
  if (!isKnown || !routeCodes.has(error.code) || error.data.retryAfterSeconds !== undefined) return error;
  const data = { ...error.data, retryAfterSeconds: Math.ceil(dueInMs / 1_000) };
  return new PlatformError(data, error, error.cause);
};

/** The error of a call that no route served: its cancellation, or `error` with the wait that follows from circuits and budget. */
export const callError = (
  engine: Engine,
  call: Call,
  plan: Plan,
  circuitOf: (route: Route) => MonitoredCircuit,
  error: PlatformError,
): PlatformError =>
  cancellationError(call) ?? orBudgetExhausted(engine, plan, withRetryAfter(plan.routes.map(circuitOf), error));
