import { createServer } from 'node:net';

/** A TCP port of the loopback interface that nobody listens on at this moment. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });

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
