import type { Metrics } from './metrics.ts';

const QUICK_SECONDS = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15, 60, 300];

/** Events on their way to the stream, and in it. */
const publishing = ({ counter, gauge, histogram }: Metrics) => ({
  publishLag: histogram(
    {
      name: 'tds_publish_lag_seconds',
      help: 'Time from saving an event to its acknowledgement by the stream',
    },
    QUICK_SECONDS,
  ),
  publishErrors: counter({
    name: 'tds_publish_errors_total',
    help: 'Events that the broker did not take when asked',
  }),
  streamFull: gauge({
    name: 'tds_stream_full',
    help: '1 while the broker has no room for events: they wait in the outbox',
  }),
  streamKeeps: gauge({
    name: 'tds_stream_keeps',
    help: 'What the stream of the service keeps: bytes, messages',
    labels: ['what'],
  }),
  streamMost: gauge({
    name: 'tds_stream_most',
    help: 'What it may keep at most; -1 where there is no limit',
    labels: ['what'],
  }),
});

/** Events that could not be handled when they came, or have to be handled or published once more. */
const recovering = ({ counter }: Metrics) => ({
  eventsPublishedAgain: counter({
    name: 'tds_events_published_again_total',
    help: 'Events that the broker had acknowledged and lost',
  }),
  lostEvents: counter({
    name: 'tds_lost_events_total',
    help: 'Events that this database had lost and that are handled again',
    labels: ['name'],
  }),
  ownLostEvents: counter({
    name: 'tds_own_lost_events_total',
    help: 'Events that this service emitted and that its database lacks',
    labels: ['name'],
  }),
  eventGaps: counter({
    name: 'tds_event_gaps_total',
    help: 'Times that this database may have lacked events that the stream keeps no more',
    labels: ['name'],
  }),
});

const working = ({ counter, gauge, histogram }: Metrics) => ({
  tasks: gauge({ name: 'tds_tasks', help: 'Tasks by name and state', labels: ['name', 'state'] }),
  oldestDue: gauge({
    name: 'tds_task_oldest_due_seconds',
    help: 'For how long the first task has been due that no worker has begun',
    labels: ['name'],
  }),
  taskLag: histogram(
    { name: 'tds_task_lag_seconds', help: 'Time from a task being due to its start', labels: ['name'] },
    QUICK_SECONDS,
  ),
  leasesLost: counter({
    name: 'tds_task_leases_lost_total',
    help: 'Attempts that ended after another worker had taken over, or the task was cancelled',
    labels: ['name'],
  }),
  deadLetters: counter({ name: 'tds_dead_letters_total', help: 'Messages given up', labels: ['source'] }),
  scheduleFailing: gauge({
    name: 'tds_schedule_failing',
    help: '1 where the last run of a schedule has failed',
    labels: ['name'],
  }),
});

/** Read at a scrape. */
const sampling = ({ gauge }: Metrics) => ({
  checkFailing: gauge({
    name: 'tds_check_failing',
    help: '1 for each check of /ready that fails',
    labels: ['check'],
  }),
  scheduleOverdue: gauge({
    name: 'tds_schedule_overdue_seconds',
    help: 'For how long a schedule has been due without a completed run',
    labels: ['name'],
  }),
  backlog: gauge({
    name: 'tds_backlog',
    help: 'What waits for the service though it is due: rows, jobs, deliveries, charges',
    labels: ['what'],
  }),
  backlogOldest: gauge({
    name: 'tds_backlog_oldest_seconds',
    help: 'For how long the first of them has waited',
    labels: ['what'],
  }),
  databaseBytes: gauge({
    name: 'tds_database_bytes',
    help: 'What the database of the service takes on disk',
  }),
});

const calling = ({ counter, histogram }: Metrics) => ({
  callDuration: histogram({
    name: 'tds_call_duration_seconds',
    help: 'Time that a call of another service took',
    labels: ['name', 'outcome'],
  }),
  commandsRefused: counter({
    name: 'tds_commands_refused_total',
    help: 'Commands refused because of overload',
  }),
  busReconnects: counter({ name: 'tds_bus_reconnects_total', help: 'Reconnections to the broker' }),
});

/** A service's metrics, with those of the kit by name. Names of messages are labels, ids never are. */
export const createInstruments = (metrics: Metrics) => ({
  ...metrics,
  ...metrics.kit,
  ...publishing(metrics),
  ...recovering(metrics),
  ...working(metrics),
  ...sampling(metrics),
  ...calling(metrics),
});

export type Instruments = ReturnType<typeof createInstruments>;
