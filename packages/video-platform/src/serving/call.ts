import { secondsUntilRefill } from '../budget.ts';
import { PlatformError, type PlatformErrorCode, platformError } from '../errors/platform-error.ts';
import type { MonitoredCircuit } from '../health/monitored-circuit.ts';
import type { Call } from '../types.ts';
import type { Engine, Plan, Route } from './engine.ts';

export const cancelled = (call: Call): PlatformError | null =>
  call.signal?.aborted
    ? platformError('upstream_error', { message: 'The request was cancelled.', cause: call.signal.reason })
    : null;

/** A time limit beside another signal. Unlike a signal's own timeout it ends with the work, as all but a few of thousands do. */
type Deadline = { readonly signal: AbortSignal; isOver(): boolean; stop(): void };

export const startDeadline = (parent: AbortSignal | undefined, ms: number): Deadline => {
  const controller = new AbortController();
  let isOver = false;
  const give = () => controller.abort(parent?.reason);
  const timer = setTimeout(() => {
    isOver = true;
    controller.abort(new DOMException('The platform took too long.', 'TimeoutError'));
  }, ms);
  timer.unref();
  if (parent?.aborted) give();
  else parent?.addEventListener('abort', give, { once: true });
  return {
    signal: controller.signal,
    isOver: () => isOver,
    stop: () => {
      clearTimeout(timer);
      parent?.removeEventListener('abort', give);
    },
  };
};

/** Works under the signal of a whole call: the caller's own, and the call's deadline. */
export const withinCall = async <T>(
  call: Call,
  callMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const deadline = startDeadline(call.signal, callMs);
  try {
    return await work(deadline.signal);
  } finally {
    deadline.stop();
  }
};

const routeCodes: ReadonlySet<string> = new Set<PlatformErrorCode>([
  'ip_blocked',
  'rate_limited',
  'upstream_error',
]);

/** If no egress was left, or only blocked ones, a spent budget is why: the caller waits until it refills. */
const orBudgetExhausted = (engine: Engine, plan: Plan, error: PlatformError): PlatformError =>
  plan.isBudgetSpent &&
  (plan.routes.length === 0 || error.code === 'ip_blocked' || error.code === 'rate_limited')
    ? platformError('budget_exhausted', {
        retryAfterSeconds: secondsUntilRefill(engine.clock()),
        wasAsked: error.wasAsked,
        cause: error,
      })
    : error;

/** If every circuit is open, the caller is told to wait until the first of them is tried again. */
export const untilTriedAgain = (
  circuits: readonly MonitoredCircuit[],
  error: PlatformError,
): PlatformError => {
  const dueInMs = Math.min(...circuits.map((circuit) => circuit.dueInMs()));
  const isKnown = Number.isFinite(dueInMs) && dueInMs > 0;
  if (!isKnown || !routeCodes.has(error.code) || error.data.retryAfterSeconds !== undefined) return error;
  const data = { ...error.data, retryAfterSeconds: Math.ceil(dueInMs / 1_000) };
  return new PlatformError(data, error, error.cause);
};

/** The error of a call with what its caller has to wait for, as far as it is known. */
export const withWait = (
  engine: Engine,
  plan: Plan,
  circuitOf: (route: Route) => MonitoredCircuit,
  error: PlatformError,
): PlatformError => orBudgetExhausted(engine, plan, untilTriedAgain(plan.routes.map(circuitOf), error));
