import {
  BrokenCircuitError,
  CircuitState,
  ConsecutiveBreaker,
  CountBreaker,
  circuitBreaker,
  handleWhenResult,
  type IBreaker,
} from 'cockatiel';

/** What a result says about the route's health. */
export type Effect = 'success' | 'failure' | 'neutral';

type CircuitOptions = {
  readonly failuresToOpen: number;
  /** Longest waits; each is shortened at random, so that instances do not return together. */
  readonly waitsMs: readonly number[];
  readonly clock: () => Date;
  /** From 0 to 1. */
  readonly random?: () => number;
};

const JITTER = 0.25;
const FLAP_WINDOW = 20;
const MIN_FLAPS = 10;
const FLAP_SHARE = 0.49;

/** Opens on failures in a row, or if half of a window failed: a flapping route is as bad as one that is down. */
const eitherBreaker = (failuresToOpen: number): IBreaker => {
  const inRow = new ConsecutiveBreaker(failuresToOpen);
  const flapping = new CountBreaker({
    threshold: FLAP_SHARE,
    size: FLAP_WINDOW,
    minimumNumberOfCalls: MIN_FLAPS,
  });
  return {
    state: null,
    success(state) {
      inRow.success();
      flapping.success(state);
    },
    failure(state) {
      const byRow = inRow.failure();
      return flapping.failure(state) || byRow;
    },
  };
};

type EvaluatedResult<Result> = { readonly result: Result; readonly isNeutral: boolean };

/** Carries a result past the breaker uncounted. */
class Uncounted<Result> extends Error {
  readonly result: Result;

  constructor(result: Result) {
    super('not counted');
    this.result = result;
  }
}

/** When an open circuit may be probed; the wait grows with each failed probe. */
const createWaits = ({ waitsMs, clock, random = Math.random }: CircuitOptions) => {
  let openCount = 0;
  let untilMs = 0;
  const waitFor = (longestMs: number) => {
    untilMs = clock().getTime() + longestMs * (1 - JITTER * random());
  };
  return {
    /** How often the circuit opened since it was last closed. */
    opened: () => openCount,
    open() {
      waitFor(waitsMs[Math.min(openCount, waitsMs.length - 1)] ?? 0);
      openCount += 1;
    },
    close() {
      openCount = 0;
    },
    /** After a neutral probe: restores the count and takes the shortest wait. */
    openAgain(openedBefore: number) {
      openCount = openedBefore;
      waitFor(waitsMs[0] ?? 0);
    },
    remainingMs: () => Math.max(0, untilMs - clock().getTime()),
  };
};

/** A circuit breaker that lets one probe through at a time and refuses everything else at once. */
export function createCircuit<Result>(classify: (result: Result) => Effect, options: CircuitOptions) {
  const policy = circuitBreaker(
    handleWhenResult((evaluated) => classify((evaluated as EvaluatedResult<Result>).result) !== 'success'),
    // `waits` decides when a probe is due: cockatiel would use the wall clock.
    { breaker: eitherBreaker(options.failuresToOpen), halfOpenAfter: 0 },
  );
  const waits = createWaits(options);
  policy.onBreak(waits.open);
  policy.onReset(waits.close);
  const isReady = (): boolean =>
    policy.state === CircuitState.Closed || (policy.state === CircuitState.Open && waits.remainingMs() === 0);
  const evaluate = async (work: (isProbe: boolean) => Promise<Result>): Promise<EvaluatedResult<Result>> => {
    const isProbe = policy.state === CircuitState.HalfOpen;
    const result = await work(isProbe);
    const isNeutral = classify(result) === 'neutral';
    // A probe must show health; a neutral one keeps the circuit open.
    if (!isProbe && isNeutral) throw new Uncounted(result);
    return { result, isNeutral };
  };
  return {
    /** False while open and during a probe: other requests do not wait for it. */
    isReady,
    /** Milliseconds until it may be tried again; 0 if it may be now. */
    dueInMs: (): number => (policy.state === CircuitState.Closed ? 0 : waits.remainingMs()),
    state(): 'closed' | 'open' | 'half_open' {
      if (policy.state === CircuitState.Closed) return 'closed';
      return policy.state === CircuitState.HalfOpen ? 'half_open' : 'open';
    },
    /** Resolves to null if the circuit is open; `isProbe` is true if the work probes an open circuit. */
    async run(work: (isProbe: boolean) => Promise<Result>): Promise<Result | null> {
      if (!isReady()) return null;
      const openedBefore = waits.opened();
      try {
        const { result, isNeutral } = await policy.execute(() => evaluate(work));
        if (isNeutral) waits.openAgain(openedBefore);
        return result;
      } catch (thrown) {
        if (thrown instanceof Uncounted) return thrown.result as Result;
        if (thrown instanceof BrokenCircuitError) return null;
        throw thrown;
      }
    },
  };
}
