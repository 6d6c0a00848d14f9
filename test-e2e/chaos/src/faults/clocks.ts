import { readCounter, sleep } from '#support';
import { type Harness, processNamed } from '../harness.ts';
import type { Blow, Fault } from './fault.ts';
import { gateway, needOf, workers } from './processes.ts';

const MINUTE_MS = 60_000;
const offsets: Readonly<Record<string, number>> = {
  '5 minutes ahead': 5 * MINUTE_MS,
  '5 minutes behind': -5 * MINUTE_MS,
  'an hour ahead': 60 * MINUTE_MS,
  'an hour behind': -60 * MINUTE_MS,
};
/** By the process's own clock. */
const BORN_SECONDS = 'process_start_time_seconds';
const preload = new URL('./shifted-clock.ts', import.meta.url).href;
/** Of a service whose calendar is off by that. */
export const shiftedBy = (offsetMs: number): NodeJS.ProcessEnv => ({
  NODE_OPTIONS: `--import=${preload}`,
  CLOCK_OFFSET_MS: String(offsetMs),
});

const targetsOf = (processes: readonly string[]): string[] =>
  processes.flatMap((process) => Object.keys(offsets).map((offset) => `${process} ${offset}`));
const processOf = (harness: Harness, target: string) => processNamed(harness, target.split(' ')[0] ?? '');

/** Lives on with a wrong clock until everything that needs it has answered in spite of it. */
const skew = async (
  harness: Harness,
  { target, holdMs }: { target: string; holdMs: number },
): Promise<Blow> => {
  const [name = ''] = target.split(' ');
  const offsetMs = offsets[target.slice(name.length + 1)] ?? 0;
  const victim = processOf(harness, target);
  await victim.restart(shiftedBy(Number(process.env.CLOCK_OFFSET_MS ?? 0) + offsetMs));
  const bornAtMs = ((await readCounter(victim, BORN_SECONDS)) ?? 0) * 1_000;
  await sleep(holdMs);
  return { happened: Math.abs(bornAtMs - offsetMs - Date.now()) < MINUTE_MS };
};

const setRight = async (harness: Harness, target: string): Promise<void> => {
  await processOf(harness, target).restart({});
};

const skewing = {
  id: 'R25',
  does: 'one process lives for a while with a clock that is minutes or an hour off',
  ofProcesses: true,
  kills: 0,
  holdMs: 12_000,
  run: skew,
  lift: setRight,
  needs: needOf,
} as const;

export const clockFaults: readonly Fault[] = [
  {
    ...skewing,
    name: 'skew-clock',
    targets: targetsOf(workers),
    hits: 6,
    quickHoldMs: 1_500,
    cachedReads: true,
  },
  {
    ...skewing,
    name: 'skew-clock-of-gateway',
    targets: targetsOf([gateway]),
    hits: 2,
    quickHoldMs: 0,
    cachedReads: false,
    forgets: true,
  },
];
