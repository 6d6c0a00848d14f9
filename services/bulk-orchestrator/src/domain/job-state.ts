import type { JobStatus } from '@tds/contracts';

/** What a job's next state depends on. */
export type JobState = {
  readonly status: JobStatus;
  /** Whether its rows are there; those of a channel or playlist come while it is enumerating. */
  readonly isListed: boolean;
};

/**
 * What happens to a job:
 * - accepted: its credits are held, so it may begin;
 * - listed: its source has been listed;
 * - begun: a worker has taken it up, again or for the first time;
 * - paused, resumed: it cannot go on at the moment, and can again;
 * - completed: no row is left to do, and at least one was delivered;
 * - failed: no row is left and none was delivered, the source could not be listed, or the account may not go on;
 * - cancelled, retried: its owner says so.
 */
export const jobEvents = [
  ...(['accepted', 'listed', 'begun', 'paused', 'resumed'] as const),
  ...(['completed', 'failed', 'cancelled', 'retried'] as const),
] as const;
export type JobEvent = (typeof jobEvents)[number];

const toDo = ({ isListed }: JobState): JobStatus => (isListed ? 'pending' : 'enumerating');
const to =
  (status: JobStatus): ((state: JobState) => JobStatus) =>
  () =>
    status;

type Transitions = Readonly<Partial<Record<JobStatus, (state: JobState) => JobStatus>>>;

const transitions: Readonly<Record<JobEvent, Transitions>> = {
  accepted: { creating: to('pending') },
  listed: { enumerating: to('pending') },
  begun: { pending: to('running'), running: to('running') },
  paused: { enumerating: to('paused'), running: to('paused') },
  resumed: { paused: toDo },
  completed: { running: to('completed') },
  failed: { enumerating: to('failed'), running: to('failed') },
  cancelled: {
    ...{ creating: to('cancelled'), enumerating: to('cancelled'), pending: to('cancelled') },
    ...{ running: to('cancelled'), paused: to('cancelled') },
  },
  retried: { completed: toDo, failed: toDo },
};

/** The status after an event; null where it changes nothing, because the job is past it or not there yet. */
export const nextState = (state: JobState, event: JobEvent): JobStatus | null =>
  transitions[event][state.status]?.(state) ?? null;

const active: ReadonlySet<JobStatus> = new Set(['creating', 'enumerating', 'pending', 'running', 'paused']);
export const isActive = (status: JobStatus): boolean => active.has(status);
