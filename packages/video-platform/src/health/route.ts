import type { Attempt } from '../classification/attempt-result.ts';
import type { Refusal } from '../classification/refusal.ts';
import type { Limits } from '../config/limits.ts';
import type { Strategy } from '../config/strategies.ts';
import type { OpenExit } from '../transport/exits.ts';
import type { StrategyHealth } from '../types.ts';
import { type Circuit, createCircuit, type Effect } from './circuit.ts';

const LATENCIES_KEPT = 50;
const VIDEOS_KEPT = 1000;

/** One strategy behind one exit. Its player and its captions fail apart, so each has a circuit of its own. */
export type Route = {
  readonly strategy: Strategy;
  readonly exit: OpenExit;
  readonly player: MonitoredCircuit;
  readonly timedtext: MonitoredCircuit;
  health(): StrategyHealth;
};

type Failed = Attempt<unknown> & { kind: 'refused' };

export type MonitoredCircuit = {
  isReady(): boolean;
  /** Whether whoever comes next is the probe of an open circuit. */
  isDue(): boolean;
  /** The route failure that was seen last: what an open circuit stands for. */
  lastFailure(): Refusal | null;
  /** Null where the circuit is open. */
  run<T>(videoId: string, work: (isProbe: boolean) => Promise<Attempt<T>>): Promise<Attempt<T> | null>;
};

/** What both circuits of a route write down. */
type Diary = {
  lastSuccessAt: Date | null;
  lastFailureAt: Date | null;
  lastFailureCode: string | null;
  latenciesMs: number[];
};

const isRouteFailure = (attempt: Attempt<unknown>): attempt is Failed =>
  attempt.kind === 'refused' && attempt.refusal.verdict.about === 'route';

/** A route that tells facts about videos works. */
const isVideoFact = (attempt: Attempt<unknown>): boolean =>
  attempt.kind === 'refused' && attempt.refusal.verdict.about === 'video';

type Judged = { readonly videoId: string; readonly attempt: Attempt<unknown> };

/** One video counts once until something succeeds: a single odd video must not close the route to all others. */
const judgeByDifferentVideos = () => {
  const failed = new Set<string>();
  return {
    effectOf({ videoId, attempt }: Judged): Effect {
      if (isRouteFailure(attempt)) return failed.has(videoId) ? 'neutral' : 'failure';
      return attempt.kind === 'ok' || isVideoFact(attempt) ? 'success' : 'neutral';
    },
    remember({ videoId, attempt }: Judged) {
      if (isRouteFailure(attempt)) {
        if (failed.size < VIDEOS_KEPT) failed.add(videoId);
      } else if (attempt.kind === 'ok' || isVideoFact(attempt)) failed.clear();
    },
  };
};

const monitored = (
  limits: Limits,
  clock: () => Date,
  diary: Diary,
): { circuit: Circuit<Judged>; monitor: MonitoredCircuit } => {
  const judge = judgeByDifferentVideos();
  let lastFailure: Refusal | null = null;
  const circuit = createCircuit<Judged>(judge.effectOf, {
    failuresToOpen: limits.failuresToOpen,
    waitsMs: limits.circuitWaitsMs,
    clock,
  });
  const write = (judged: Judged, durationMs: number) => {
    judge.remember(judged);
    if (judged.attempt.kind === 'ok') {
      diary.lastSuccessAt = clock();
      diary.latenciesMs = [...diary.latenciesMs.slice(1 - LATENCIES_KEPT), durationMs];
    } else if (isRouteFailure(judged.attempt)) {
      diary.lastFailureAt = clock();
      lastFailure = judged.attempt.refusal;
      diary.lastFailureCode = lastFailure.verdict.code;
    }
  };
  const monitor: MonitoredCircuit = {
    isReady: circuit.isReady,
    isDue: () => circuit.isReady() && circuit.state() !== 'closed',
    lastFailure: () => lastFailure,
    async run<T>(videoId: string, work: (isProbe: boolean) => Promise<Attempt<T>>) {
      const startedMs = performance.now();
      let own: Attempt<T> | null = null;
      const judged = await circuit.run(async (isProbe) => {
        own = await work(isProbe);
        return { videoId, attempt: own };
      });
      if (judged !== null) write(judged, performance.now() - startedMs);
      return own;
    },
  };
  return { circuit, monitor };
};

const median = (values: readonly number[]): number | null => {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)];
  return middle === undefined ? null : Math.round(middle);
};

const WORST_FIRST = ['open', 'half_open', 'closed'] as const;

export const createRoute = (strategy: Strategy, exit: OpenExit, limits: Limits, clock: () => Date): Route => {
  const diary: Diary = { lastSuccessAt: null, lastFailureAt: null, lastFailureCode: null, latenciesMs: [] };
  const player = monitored(limits, clock, diary);
  const timedtext = monitored(limits, clock, diary);
  return {
    strategy,
    exit,
    player: player.monitor,
    timedtext: timedtext.monitor,
    health() {
      const states = [player.circuit.state(), timedtext.circuit.state()];
      return {
        strategy: strategy.name,
        exit: exit.name,
        state: WORST_FIRST.find((state) => states.includes(state)) ?? 'closed',
        lastSuccessAt: diary.lastSuccessAt,
        lastFailureAt: diary.lastFailureAt,
        lastFailureCode: diary.lastFailureCode,
        p50LatencyMs: median(diary.latenciesMs),
      };
    },
  };
};
