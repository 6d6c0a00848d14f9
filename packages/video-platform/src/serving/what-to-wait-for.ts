import { secondsUntilRefill } from '../budget.ts';
import { PlatformError, type PlatformErrorCode, platformError } from '../errors/platform-error.ts';
import type { MonitoredCircuit } from '../health/monitored-circuit.ts';
import type { Route } from '../health/route.ts';
import type { Engine, Plan } from './engine.ts';

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
