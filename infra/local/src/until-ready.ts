import { setTimeout as delay } from 'node:timers/promises';

const LONGEST_START_MS = 60_000;
const LOOK_EVERY_MS = 50;

/** Waits until an address answers with success, as /ready does once everything behind a service can be reached. */
export async function untilReady(url: string): Promise<void> {
  const deadline = performance.now() + LONGEST_START_MS;
  while (performance.now() < deadline) {
    if (await isReady(url)) return;
    await delay(LOOK_EVERY_MS);
  }
  throw new Error(`${url} did not answer with success within ${LONGEST_START_MS / 1_000} s`);
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false; // not listening yet
  }
}
