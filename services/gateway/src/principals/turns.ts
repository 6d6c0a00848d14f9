import { serviceError } from '@tds/contracts';

const PATIENCE_MS = 3_000;
/** So many can have their turn in time; each more would only cost memory. */
const MOST_WAITING = 1_000;

const tooLate = () => serviceError('service_unavailable', { retryAfterSeconds: 1 });

/** Lets so many run at once, the others in turn. */
export type Turns = {
  /** Throws `service_unavailable`, and does nothing, where its turn does not come in time, or too many wait already. */
  run<T>(work: () => Promise<T>): Promise<T>;
};

export const createTurns = (atOnce: number, patienceMs: number = PATIENCE_MS): Turns => {
  let running = 0;
  const waiting = new Set<() => void>();
  const turn = async (): Promise<void> => {
    if (running < atOnce) {
      running += 1;
      return;
    }
    if (waiting.size >= MOST_WAITING) throw tooLate();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    waiting.add(resolve);
    const timer = setTimeout(() => {
      waiting.delete(resolve);
      reject(tooLate());
    }, patienceMs);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
    }
  };
  /** A turn is handed over as it is, so that nobody slips in between. */
  const handOver = (): void => {
    const [next] = waiting;
    if (next === undefined) {
      running -= 1;
      return;
    }
    waiting.delete(next);
    next();
  };
  return {
    async run(work) {
      await turn();
      try {
        return await work();
      } finally {
        handOver();
      }
    },
  };
};
