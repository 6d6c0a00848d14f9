import { PRINCIPAL_WAIT_MS, serviceError } from '@tds/contracts';

/** So many can have their turn in time; each more would only cost memory. */
const MOST_WAITING = 1_000;

const tooMany = () =>
  serviceError('rate_limit', {
    message: 'Too many requests of your network wait to be looked at. Retry in a second.',
    retryAfterSeconds: 1,
  });
const tooLate = () => serviceError('service_unavailable', { retryAfterSeconds: 1 });

/** Lets so many run at once, the others in turn. */
export type Semaphore = {
  /** Does nothing and throws `rate_limit` if too many wait already, `service_unavailable` if its turn does not come. */
  run<T>(work: () => Promise<T>): Promise<T>;
};

export const createSemaphore = (atOnce: number, patienceMs: number = PRINCIPAL_WAIT_MS): Semaphore => {
  let running = 0;
  const waiting = new Set<() => void>();
  const turn = async (): Promise<void> => {
    if (running < atOnce) {
      running += 1;
      return;
    }
    if (waiting.size >= MOST_WAITING) throw tooMany();
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
