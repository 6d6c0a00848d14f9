import { randomInt } from 'node:crypto';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';

/** Below the ports that systems hand out for outgoing connections and for port 0. */
const FIRST = 15_000;
const BEYOND_LAST = 32_000;
const ATTEMPTS = 20;
/** By then the caller listens, also on a busy machine. */
const CLAIM_MS = 600_000;

/** The system's error code if this process cannot listen on the port of the loopback interface; otherwise undefined. */
export const findListenError = (port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'unknown'));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(undefined)));
  });

/** Whether no process of this machine was given the port a moment ago. */
const claim = (port: number): boolean => {
  const folder = path.join(tmpdir(), `tds-ports-${userInfo().uid}`);
  const file = path.join(folder, String(port));
  mkdirSync(folder, { recursive: true });
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats && Date.now() - stats.mtimeMs > CLAIM_MS) rmSync(file, { force: true });
  try {
    writeFileSync(file, '', { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
};

/** A free TCP port of the loopback interface, which no other caller is given for ten minutes. */
export const freePort = async (): Promise<number> => {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const port = randomInt(FIRST, BEYOND_LAST);
    if (claim(port) && (await findListenError(port)) === undefined) return port;
  }
  throw new Error(`no free port between ${FIRST} and ${BEYOND_LAST} in ${ATTEMPTS} attempts`);
};

/** Runs `start` with the wished port or a free one; with the next one if another process takes it first. */
export async function onFreePort<T>(
  preferredPort: number | undefined,
  start: (port: number) => Promise<T>,
): Promise<T> {
  if (preferredPort) return start(preferredPort);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(await freePort());
    } catch (error) {
      if (attempt === 5 || !/in use/i.test(String(error))) throw error;
    }
  }
}
