import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below what systems hand out themselves: no outgoing connection and nobody who asks for any port takes one of these. */
const FIRST = 15_000;
const BEYOND_LAST = 32_000;
const ATTEMPTS = 20;

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

/** A TCP port of the loopback interface that nobody listens on at this moment. */
export const freePort = async (): Promise<number> => {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const port = randomInt(FIRST, BEYOND_LAST);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port between ${FIRST} and ${BEYOND_LAST} in ${ATTEMPTS} attempts`);
};

/** Runs `start` with the wished port or a free one; where another process was quicker to take the free one, with the next. */
export async function onFreePort<T>(
  wished: number | undefined,
  start: (port: number) => Promise<T>,
): Promise<T> {
  if (wished) return start(wished);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(await freePort());
    } catch (error) {
      if (attempt === 5 || !/in use/i.test(String(error))) throw error;
    }
  }
}
