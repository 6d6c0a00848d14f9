import { setTimeout as delay } from 'node:timers/promises';

const LONGEST_START_MS = 60_000;
const LOOK_EVERY_MS = 50;

/**
 * Waits until the gateway answers and reaches everything behind it: a key that no one has is refused with 403 only
 * after identity has been asked.
 */
export async function untilReady(gateway: string): Promise<void> {
  const deadline = performance.now() + LONGEST_START_MS;
  while (performance.now() < deadline) {
    if (await isReady(gateway)) return;
    await delay(LOOK_EVERY_MS);
  }
  throw new Error(`the gateway at ${gateway} was not ready within ${LONGEST_START_MS / 1_000} s`);
}

async function isReady(gateway: string): Promise<boolean> {
  try {
    return (await fetch(`${gateway}/v1/openapi.json`)).ok;
  } catch {
    return false; // not listening yet
  }
}
