import type { Limits } from '../config/limits.ts';
import type { Strategy } from '../config/strategies.ts';
import type { OpenEgress } from '../transport/egresses.ts';
import type { StrategyHealth } from '../types.ts';
import { type MonitoredCircuit, monitored, noStats } from './monitored-circuit.ts';

/** One strategy behind one egress. Its player and its captions fail apart, so each has a circuit of its own. */
export type Route = {
  readonly strategy: Strategy;
  readonly egress: OpenEgress;
  readonly player: MonitoredCircuit;
  readonly timedtext: MonitoredCircuit;
  health(): StrategyHealth;
};

const median = (values: readonly number[]): number | null => {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)];
  return middle === undefined ? null : Math.round(middle);
};

const WORST_FIRST = ['open', 'half_open', 'closed'] as const;

export const createRoute = (
  strategy: Strategy,
  egress: OpenEgress,
  limits: Limits,
  clock: () => Date,
): Route => {
  const stats = noStats();
  const player = monitored(limits, clock, stats);
  const timedtext = monitored(limits, clock, stats);
  return {
    strategy,
    egress,
    player: player.monitor,
    timedtext: timedtext.monitor,
    health() {
      const states = [player.circuit.state(), timedtext.circuit.state()];
      return {
        strategy: strategy.name,
        egress: egress.name,
        state: WORST_FIRST.find((state) => states.includes(state)) ?? 'closed',
        lastSuccessAt: stats.lastSuccessAt,
        lastFailureAt: stats.lastFailureAt,
        lastFailureCode: stats.lastFailureCode,
        p50LatencyMs: median(stats.latenciesMs),
      };
    },
  };
};
