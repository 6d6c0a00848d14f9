import { holdsWithin } from '@tds/servers';
import type { ScrapeTarget } from './scrape-targets.ts';

const MINUTE_MS = 60_000;
const POLL_MS = 100;
const ANSWER_WITHIN_MS = 5_000;

type ReadyOptions = {
  /** A busy machine takes minutes. */
  readonly withinMs?: number;
  readonly reportEveryMs?: number;
  /** Gets a line for each service that is waited for. */
  readonly onEvent?: ((line: string) => void) | undefined;
};

/** Nothing for a service that is ready; otherwise its name, and which checks of /ready fail. */
const listUnready = async ({ service, health }: ScrapeTarget): Promise<string[]> => {
  try {
    const answer = await fetch(`${health}/ready`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    if (answer.ok) return [];
    const { checks } = (await answer.json()) as { checks: Record<string, string> };
    const failing = Object.entries(checks).filter(([, found]) => found !== 'ok');
    return [`${service} is not ready: ${failing.map(([check, found]) => `${check}: ${found}`).join(', ')}`];
  } catch {
    return [`${service} is not ready: ${health} does not answer`];
  }
};

/** Waits until all services reach what they need. Throws with a line for each that does not. */
export const untilAllReady = async (
  services: readonly ScrapeTarget[],
  { withinMs = 10 * MINUTE_MS, reportEveryMs = MINUTE_MS / 2, onEvent }: ReadyOptions,
): Promise<void> => {
  let unready: string[] = [];
  let reportAt = performance.now() + reportEveryMs;
  const areReady = async (): Promise<boolean> => {
    unready = (await Promise.all(services.map(listUnready))).flat();
    if (performance.now() > reportAt) {
      for (const line of unready) onEvent?.(line);
      reportAt = performance.now() + reportEveryMs;
    }
    return unready.length === 0;
  };
  if (await holdsWithin(withinMs, areReady, POLL_MS)) return;
  throw new Error(`waited for ${withinMs / MINUTE_MS} minutes\n${unready.join('\n')}`);
};
