import { createSingleFlight } from '@tds/base';
import { type Attempt, blamesRoute, type Refusal } from '../classification/index.ts';
import type { Limits } from '../config/limits.ts';
import { createRecentOutcomes, type RecentOutcomes } from '../recent-outcomes.ts';
import { createCircuit, type Effect } from './circuit.ts';

/** One run of work. A probe decides about a circuit and has a shorter deadline. */
export type Turn = {
  readonly callerId: string | null;
  readonly signal: AbortSignal;
  readonly isProbe: boolean;
};

type Work<T> = (turn: Turn) => Promise<Attempt<T>>;

/** Repeats the work that a route served last, to tell a failing route from an odd video. */
const createControl = (timeoutMs: number) => {
  let lastWork: Work<unknown> | null = null;
  const flight = createSingleFlight<boolean>();
  const ask = async (work: Work<unknown>, callerId: string | null): Promise<boolean> => {
    const attempt = await work({ callerId, signal: AbortSignal.timeout(timeoutMs), isProbe: true });
    return attempt.kind === 'ok';
  };
  return {
    keep(work: Work<unknown>): void {
      lastWork = work;
    },
    /** True if the route still serves it; false also if it has served nothing yet. Concurrent callers share one check. */
    async passes(callerId: string | null): Promise<boolean> {
      const work = lastWork;
      return work !== null && flight('control', () => ask(work, callerId));
    },
  };
};

const MAX_WITNESSES = 1000;

type RefusedAttempt = Attempt<unknown> & { kind: 'refused' };

/** The subject of a request and its caller; null if unknown. */
export type Subject = { readonly videoId: string; readonly callerId: string | null };

type SubjectWithSignal = Subject & { readonly signal: AbortSignal };

/** Statistics of a route, shared by its circuits. */
type RouteStats = {
  lastSuccessAt: Date | null;
  lastFailureAt: Date | null;
  readonly recent: RecentOutcomes;
};

const isRouteFailure = (attempt: Attempt<unknown>): attempt is RefusedAttempt =>
  attempt.kind === 'refused' && blamesRoute(attempt.refusal);

/** Facts about a video are a success of the route, refusals included. */
const isVideoFact = (attempt: Attempt<unknown>): boolean =>
  attempt.kind === 'refused' && attempt.refusal.meaning.about === 'video';

/** `isOdd`: the route served something else at the same time, so the failure is not its own. */
type Evaluated = { readonly subject: Subject; readonly attempt: Attempt<unknown>; readonly isOdd: boolean };

const isFault = ({ attempt, isOdd }: Evaluated): boolean =>
  attempt.kind === 'refused' &&
  (attempt.refusal.meaning.about === 'track' || (blamesRoute(attempt.refusal) && !isOdd));

/**
 * Until something succeeds, one video counts once, and unreadable answers count once per caller. So neither an odd video nor a customer
 * with many of them closes a route to others, even before the route has served anything.
 */
const createEvaluator = () => {
  const videos = new Set<string>();
  const callers = new Set<string>();
  const isNew = ({ videoId, callerId }: Subject, { refusal }: RefusedAttempt) =>
    !videos.has(videoId) && (refusal.meaning.about === 'route' || callerId === null || !callers.has(callerId));
  return {
    classify({ subject, attempt, isOdd }: Evaluated): Effect {
      if (isRouteFailure(attempt)) return !isOdd && isNew(subject, attempt) ? 'failure' : 'neutral';
      return attempt.kind === 'ok' || isVideoFact(attempt) ? 'success' : 'neutral';
    },
    remember({ subject, attempt, isOdd }: Evaluated) {
      if (isOdd) return;
      if (isRouteFailure(attempt)) {
        if (videos.size < MAX_WITNESSES) videos.add(subject.videoId);
        if (callers.size < MAX_WITNESSES && subject.callerId !== null) callers.add(subject.callerId);
      } else if (attempt.kind === 'ok' || isVideoFact(attempt)) {
        videos.clear();
        callers.clear();
      }
    },
  };
};

export const emptyStats = (clock: () => Date): RouteStats => ({
  lastSuccessAt: null,
  lastFailureAt: null,
  recent: createRecentOutcomes(clock),
});

/**
 * A circuit with statistics and the failure that opened it. A failure counts only if the route does not serve what it served last either,
 * so odd videos never open it.
 */
export const monitored = (limits: Limits, clock: () => Date, stats: RouteStats) => {
  const evaluate = createEvaluator();
  const control = createControl(limits.probeMs);
  let lastFailure: Refusal | null = null;
  const circuit = createCircuit<Evaluated>(evaluate.classify, {
    failuresToOpen: limits.failuresToOpen,
    waitsMs: limits.circuitWaitsMs,
    clock,
  });
  const write = (evaluated: Evaluated) => {
    evaluate.remember(evaluated);
    if (evaluated.attempt.kind !== 'cancelled') stats.recent.add(isFault(evaluated));
    if (evaluated.attempt.kind === 'ok') {
      stats.lastSuccessAt = clock();
    } else if (isRouteFailure(evaluated.attempt) && !evaluated.isOdd) {
      stats.lastFailureAt = clock();
      lastFailure = evaluated.attempt.refusal;
    }
  };
  const evaluateAttempt = async (subject: Subject, attempt: Attempt<unknown>, isProbe: boolean) => {
    const evaluated = { subject, attempt, isOdd: false };
    const isInDoubt = !isProbe && evaluate.classify(evaluated) === 'failure';
    return isInDoubt ? { ...evaluated, isOdd: await control.passes(subject.callerId) } : evaluated;
  };
  const monitor = {
    isReady: circuit.isReady,
    /** True if the next request is the probe of an open circuit. */
    isDue: (): boolean => circuit.isReady() && circuit.state() !== 'closed',
    dueInMs: circuit.dueInMs,
    /** The last route failure, which an open circuit reports. */
    lastFailure: (): Refusal | null => lastFailure,
    /** Null if the circuit is open. */
    async run<T>({ signal, ...subject }: SubjectWithSignal, work: Work<T>): Promise<Attempt<T> | null> {
      let outcome: Attempt<T> | null = null;
      const evaluated = await circuit.run(async (isProbe) => {
        outcome = await work({ callerId: subject.callerId, signal, isProbe });
        if (outcome.kind === 'ok') control.keep(work);
        return evaluateAttempt(subject, outcome, isProbe);
      });
      if (evaluated !== null) write(evaluated);
      return outcome;
    },
  };
  return { circuit, monitor };
};

export type MonitoredCircuit = ReturnType<typeof monitored>['monitor'];
