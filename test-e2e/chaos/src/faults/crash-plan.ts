import type { ServiceProcess } from '@tds/e2e-support';
import { sleep, until } from '@tds/e2e-support';
import { crashPoints } from '@tds/service-kit/testing';
import { type Harness, processNamed } from '../harness.ts';
import type { TrafficKind } from '../load/traffic.ts';
import type { Blow } from './fault.ts';

/** Where a service can die between two commits, and which calls lead it there. */
export type CrashSpot = {
  readonly service: string;
  readonly point: string;
  readonly by: readonly TrafficKind[];
};

type KitPoint = (typeof crashPoints)[number];

const cold = ['cold', 'failing'] as const;
const signUps = ['signUp'] as const;

/**
 * What only tasks whose effects cannot be taken back pass; jobs of a source, those whose rows fail for now, and those that are
 * cancelled in time, which few customers of a run have; archives that are ten minutes old and were replaced; and files that
 * the object store has lost.
 */
export const beyondTheLoad: readonly string[] = [
  ...['effect-begun', 'job-listed', 'job-round-reserved', 'job-closing', 'archive-objects-deleted'],
  'batch-restoring',
];

const kitSpots = (
  service: string,
  by: readonly TrafficKind[],
  leaveOut: (point: KitPoint) => boolean,
): CrashSpot[] =>
  crashPoints
    .filter((point) => !leaveOut(point) && !beyondTheLoad.includes(point))
    .map((point) => ({ service, point, by }));

const finding = ['list', 'search'] as const;

const isOfListeners = (point: KitPoint): boolean => point.startsWith('event-') || point === 'position-moved';
const isOfEvents = (point: KitPoint): boolean => point.startsWith('relay-') || isOfListeners(point);

const own = (service: string, by: readonly TrafficKind[], points: readonly string[]): CrashSpot[] =>
  points.map((point) => ({ service, point, by }));

/** Every named crash point in every service that passes it. */
export const crashSpots: readonly CrashSpot[] = [
  // The fetcher hears no events.
  ...kitSpots('transcript-fetcher', cold, isOfListeners),
  ...own('transcript-fetcher', cold, [
    'operation-opened',
    'operation-reserved',
    'cues-stored',
    'fetch-delivered',
    'fetch-failed',
    'operation-settled-in-ledger',
  ]),
  ...own('transcript-fetcher', ['job'], ['batch-opened', 'batch-stored', 'batch-ended']),
  // Its only task fails when the mail server does, which is no fault of the table.
  ...kitSpots('identity', signUps, (point) => isOfListeners(point) || point === 'task-failure-recorded'),
  ...own('identity', signUps, ['code-mailed']),
  // Its schedules come once a minute at most, and its only task does not fail in a run.
  ...kitSpots(
    'credits-ledger',
    ['signUp', 'outage'],
    (point) => point.startsWith('schedule-') || point === 'task-failure-recorded',
  ),
  ...own('credits-ledger', ['outage'], ['outage-batch-granted']),
  // It tells no events and hears none, and its task fails only where the platform does for long.
  ...kitSpots('search', finding, (point) => isOfEvents(point) || point === 'task-failure-recorded'),
  ...own('search', ['list'], ['listing-page-fetched']),
  ...own(
    'search',
    ['search'],
    ['search-page-fetched', 'search-page-saved', 'search-settled', 'search-delivered'],
  ),
  // Grants are rare, and its tasks fail only where others are away for long.
  ...kitSpots(
    'bulk-orchestrator',
    ['job'],
    (point) => isOfListeners(point) || point === 'task-failure-recorded',
  ),
  ...own(
    'bulk-orchestrator',
    ['job'],
    [
      ...['job-inserted', 'job-reserved', 'job-accepting', 'job-accepted'],
      ...['job-rows-claimed', 'job-rows-fetched', 'job-rows-settled', 'job-rows-saved'],
      ...['job-released', 'job-finished'],
    ],
  ),
  // It tells no events and hears none, and its task fails only where others are away for long.
  ...kitSpots('archiver', ['archive'], (point) => isOfEvents(point) || point === 'task-failure-recorded'),
  ...own('archiver', ['archive'], ['archive-part-noted', 'archive-part-stored', 'archive-built']),
  ...own('credits-ledger', cold, ['reserve-committed', 'settle-committed', 'release-committed']),
];

const spotName = ({ service, point }: CrashSpot): string => `${service}@${point}`;
export const crashTargets: readonly string[] = crashSpots.map(spotName);

const REACHED_WITHIN_MS = 30_000;
const TRIGGER_EVERY_MS = 250;
/** Longer than one call of the ledger and one try to settle may take. */
const LEDGER_FROZEN_MS = 13_000;

/** A failure is recorded where a task fails: here because the ledger does not answer. */
const freezeLedger = async (harness: Harness): Promise<void> => {
  const ledger = processNamed(harness, 'credits-ledger-1');
  ledger.signal('SIGSTOP');
  await sleep(LEDGER_FROZEN_MS);
  ledger.signal('SIGCONT');
};

/** The instance that looks first whether a schedule is due may always be another one. */
const leaveSchedulesTo = (harness: Harness, victim: ServiceProcess): { end(): void } => {
  const others = harness.system.processes.filter(
    ({ service, name }) => service === victim.service && name !== victim.name,
  );
  for (const other of others) other.signal('SIGSTOP');
  return {
    end: () => {
      for (const other of others) other.signal('SIGCONT');
    },
  };
};

/** Ends the first instance's life, and lets the next one die at the point. */
export const crashAt = async (harness: Harness, target: string): Promise<Blow> => {
  const spot = crashSpots.find((each) => spotName(each) === target);
  if (!spot) throw new Error(`there is no crash point ${target}`);
  const victim = processNamed(harness, `${spot.service}-1`);
  const lives = victim.restarts;
  victim.crashNextLifeAt(spot.point);
  const freezing =
    spot.point === 'task-failure-recorded' ? sleep(3_000).then(() => freezeLedger(harness)) : null;
  const alone = spot.point.startsWith('schedule-') ? leaveSchedulesTo(harness, victim) : null;
  let turn = 0;
  const trigger = () => {
    const kind = spot.by[turn % spot.by.length] as TrafficKind;
    turn += 1;
    void harness.traffic.calls[kind]();
  };
  const isPast = () => victim.restarts >= lives + 2;
  const happened = await until(isPast, {
    withinMs: REACHED_WITHIN_MS,
    everyMs: TRIGGER_EVERY_MS,
    act: trigger,
  });
  const struckAt = harness.history.now();
  alone?.end();
  await freezing;
  // Disarmed by the end of the armed life.
  if (!happened) victim.signal('SIGKILL');
  return { struckAt, happened };
};
