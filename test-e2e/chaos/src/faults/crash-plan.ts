import { crashPoints } from '@tds/messaging/internals';
import type { ServiceProcess } from '#support';
import { until } from '#support';
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
 * What only tasks pass that fail, which none does in a run; jobs of a source, which few customers of a run have; archives that
 * are ten minutes old and were replaced; words of monitors, with whose deaths `promises/words-found` deals;
 * daily mails, invitations and links, which the load has none of: their services have tests of these deaths;
 * and charges of refills, which are few: `refilled-job.ts` leads there.
 */
export const beyondTheLoad: readonly string[] = [
  'task-failure-recorded',
  'job-listed',
  'archive-objects-deleted',
  'transcript-indexed',
  'words-found',
  'daily-mail-sent',
  'invitation-mailed',
  'matches-saved',
  'link-saved',
  'link-created',
  'link-ended',
  'refill-charged',
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
  // The fetcher has no tasks and hears no events.
  ...kitSpots('transcript-fetcher', cold, (point) => !point.startsWith('schedule-')),
  ...own('transcript-fetcher', cold, [
    'read-opened',
    'read-reserved',
    'fetch-stored',
    'fetch-ended',
    'ledger-settled',
  ]),
  ...own('transcript-fetcher', ['job'], ['batch-opened', 'batch-reserved', 'batch-paused']),
  ...kitSpots('identity', signUps, isOfListeners),
  ...own('identity', signUps, ['code-mailed']),
  // Its schedules come once a minute at most.
  ...kitSpots('credits-ledger', ['signUp', 'outage'], (point) => point.startsWith('schedule-')),
  ...own('credits-ledger', ['outage'], ['outage-batch-granted']),
  // It tells no events and hears none.
  ...kitSpots('search', finding, isOfEvents),
  ...own('search', ['list'], ['listing-page-fetched']),
  ...own(
    'search',
    ['search'],
    ['search-page-fetched', 'search-page-saved', 'search-settled', 'search-delivered'],
  ),
  // Grants are rare, and so is what its tasks are for.
  ...kitSpots('bulk-orchestrator', ['job'], (point) => isOfListeners(point) || point.startsWith('task-')),
  ...own(
    'bulk-orchestrator',
    ['job'],
    [
      ...['job-inserted', 'job-batch-opened', 'job-opened', 'job-accepted'],
      ...['job-changes-read', 'job-changes-saved'],
    ],
  ),
  // It tells no events and hears none.
  ...kitSpots('archiver', ['archive'], isOfEvents),
  ...own('archiver', ['archive'], ['archive-part-noted', 'archive-part-stored', 'archive-built']),
  // It has no tasks, its schedules come seldom, and what it hears are the ends of jobs.
  ...kitSpots(
    'webhook-dispatcher',
    ['webhook'],
    (point) => isOfListeners(point) || point.startsWith('task-') || point.startsWith('schedule-'),
  ),
  ...own('webhook-dispatcher', ['webhook'], ['attempts-counted']),
  // It has no tasks, its schedules run on every instance, and what it hears is rare.
  ...kitSpots(
    'monitor-scheduler',
    ['upload'],
    (point) => isOfListeners(point) || point.startsWith('task-') || point.startsWith('schedule-'),
  ),
  ...own(
    'monitor-scheduler',
    ['upload'],
    ['new-videos-recorded', 'new-videos-emitted', 'batch-fixed', 'job-begun'],
  ),
  ...own('credits-ledger', cold, ['reserve-committed', 'settle-committed', 'release-committed']),
];

const spotName = ({ service, point }: CrashSpot): string => `${service}@${point}`;
export const crashTargets: readonly string[] = crashSpots.map(spotName);

/** A channel is looked at every five seconds, and its new videos go through three services. */
const REACHED_WITHIN_MS = 60_000;
const TRIGGER_EVERY_MS = 250;
/** The instance that looks first whether a schedule is due may always be another one. */
const leaveSchedulesTo = async (harness: Harness, victim: ServiceProcess) => {
  const others = harness.system.processes.filter(
    ({ service, name }) => service === victim.service && name !== victim.name,
  );
  for (const other of others) await other.signal('SIGSTOP');
  return {
    end: async () => {
      for (const other of others) await other.signal('SIGCONT');
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
  const alone = spot.point.startsWith('schedule-') ? await leaveSchedulesTo(harness, victim) : null;
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
  await alone?.end();
  // Disarmed by the end of the armed life.
  if (!happened) await victim.signal('SIGKILL');
  return { struckAt, happened };
};
