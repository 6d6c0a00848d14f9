import { holdsWithin } from '@tds/servers';

const LONGEST_START_MS = 60_000;
const LOOK_EVERY_MS = 50;

const isReady = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false, // not listening yet
  );

/** Waits until an address answers with success, as /ready does when a service reaches everything that it needs. */
export async function untilReady(url: string): Promise<void> {
  if (await holdsWithin(LONGEST_START_MS, () => isReady(url), LOOK_EVERY_MS)) return;
  throw new Error(`${url} did not answer with success within ${LONGEST_START_MS / 1_000} s`);
}
