import { holdsWithin } from '@tds/servers';
import type { Scraped } from './scrape-targets.ts';

const MINUTE_MS = 60_000;
const LOOK_EVERY_MS = 100;
const ANSWER_WITHIN_MS = 5_000;

type ReadyOptions = {
  /** A busy machine takes minutes. */
  readonly withinMs?: number;
  readonly sayEveryMs?: number;
  /** Gets a line for each service that is waited for. */
  readonly onEvent?: ((line: string) => void) | undefined;
};

/** Nothing for a service that is ready; otherwise its name, and which checks of /ready fail. */
const lateOnes = async ({ service, health }: Scraped): Promise<string[]> => {
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
  services: readonly Scraped[],
  { withinMs = 10 * MINUTE_MS, sayEveryMs = MINUTE_MS / 2, onEvent }: ReadyOptions,
): Promise<void> => {
  let late: string[] = [];
  let sayAt = performance.now() + sayEveryMs;
  const areReady = async (): Promise<boolean> => {
    late = (await Promise.all(services.map(lateOnes))).flat();
    if (performance.now() > sayAt) {
      for (const line of late) onEvent?.(line);
      sayAt = performance.now() + sayEveryMs;
    }
    return late.length === 0;
  };
  if (await holdsWithin(withinMs, areReady, LOOK_EVERY_MS)) return;
  throw new Error(`waited for ${withinMs / MINUTE_MS} minutes\n${late.join('\n')}`);
};
