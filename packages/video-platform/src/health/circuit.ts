import {
  BrokenCircuitError,
  CircuitState,
  ConsecutiveBreaker,
  CountBreaker,
  circuitBreaker,
  handleWhenResult,
  type IBreaker,
} from 'cockatiel';

/** What a result tells about the route's health. */
export type Effect = 'success' | 'failure' | 'neutral';

export type CircuitOptions = {
  readonly failuresToOpen: number;
  /** Longest waits: each is shortened by chance, so that instances do not come back together. */
  readonly waitsMs: readonly number[];
  readonly clock: () => Date;
  /** From 0 to 1. */
  readonly random?: () => number;
};

export type Circuit<Result> = {
  state(): 'closed' | 'open' | 'half_open';
  /** False while open, and while one probe is under way: nobody waits for a probe. */
  isReady(): boolean;
  /** Milliseconds until it may be tried again; 0 if it may be now. */
  dueInMs(): number;
  /** Null if the circuit refused; `isProbe` tells that an open circuit is tried again. */
  run(work: (isProbe: boolean) => Promise<Result>): Promise<Result | null>;
};

const JITTER = 0.25;
const FLAP_WINDOW = 20;
const FLAP_LEAST = 10;
const FLAP_SHARE = 0.49;

/** Opens on failures in a row, or if half of a window failed: a route that flaps is as bad as one that is down. */
const eitherBreaker = (failuresToOpen: number): IBreaker => {
  const inRow = new ConsecutiveBreaker(failuresToOpen);
  const flapping = new CountBreaker({
    threshold: FLAP_SHARE,
    size: FLAP_WINDOW,
    minimumNumberOfCalls: FLAP_LEAST,
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

type Judged<Result> = { readonly result: Result; readonly provedNothing: boolean };

/** Carries a result past the breaker without being counted. */
class Uncounted<Result> extends Error {
  readonly result: Result;

  constructor(result: Result) {
    super('not counted');
    this.result = result;
  }
}

/** When an open circuit may be tried again: later after each probe that failed. */
const createWaits = ({ waitsMs, clock, random = Math.random }: CircuitOptions) => {
  let opened = 0;
  let untilMs = 0;
  const waitFor = (longestMs: number) => {
    untilMs = clock().getTime() + longestMs * (1 - JITTER * random());
  };
  return {
    /** How often it has opened since it was closed. */
    opened: () => opened,
    open() {
      waitFor(waitsMs[Math.min(opened, waitsMs.length - 1)] ?? 0);
      opened += 1;
    },
    close() {
      opened = 0;
    },
    /** Undoes the last probe, which proved nothing: the wait is the shortest again. */
    openAgain(openedBefore: number) {
      opened = openedBefore;
      waitFor(waitsMs[0] ?? 0);
    },
    leftMs: () => Math.max(0, untilMs - clock().getTime()),
  };
};

/** A breaker that lets one probe through at a time and refuses all others at once. */
export function createCircuit<Result>(
  effectOf: (result: Result) => Effect,
  options: CircuitOptions,
): Circuit<Result> {
  const policy = circuitBreaker(
    handleWhenResult((judged) => effectOf((judged as Judged<Result>).result) !== 'success'),
    // The waits decide when a probe is due: cockatiel would ask the wall clock.
    { breaker: eitherBreaker(options.failuresToOpen), halfOpenAfter: 0 },
  );
  const waits = createWaits(options);
  policy.onBreak(waits.open);
  policy.onReset(waits.close);
  const isReady = () =>
    policy.state === CircuitState.Closed || (policy.state === CircuitState.Open && waits.leftMs() === 0);
  const judge = async (work: (isProbe: boolean) => Promise<Result>): Promise<Judged<Result>> => {
    const isProbe = policy.state === CircuitState.HalfOpen;
    const result = await work(isProbe);
    const isNeutral = effectOf(result) === 'neutral';
    // A probe must prove health; anything less keeps the circuit open.
    if (!isProbe && isNeutral) throw new Uncounted(result);
    return { result, provedNothing: isNeutral };
  };
  return {
    isReady,
    dueInMs: () => (policy.state === CircuitState.Closed ? 0 : waits.leftMs()),
    state() {
      if (policy.state === CircuitState.Closed) return 'closed';
      return policy.state === CircuitState.HalfOpen ? 'half_open' : 'open';
    },
    async run(work) {
      if (!isReady()) return null;
      const openedBefore = waits.opened();
      try {
        const { result, provedNothing } = await policy.execute(() => judge(work));
        if (provedNothing) waits.openAgain(openedBefore);
        return result;
      } catch (thrown) {
        if (thrown instanceof Uncounted) return thrown.result as Result;
        if (thrown instanceof BrokenCircuitError) return null;
        throw thrown;
      }
    },
  };
}
