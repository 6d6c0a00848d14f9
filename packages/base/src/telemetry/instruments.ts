import type { MetricFactories, Metrics } from './metrics.ts';

const QUICK_SECONDS = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15, 60, 300];
const LAG_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1_800];

/** The same with the labels behind, so that a metric is a line. */
const createRows = ({ counter, gauge, histogram }: MetricFactories) => ({
  count: <Label extends string>(name: string, help: string, ...labels: Label[]) =>
    counter({ name, help, labels }),
  value: <Label extends string>(name: string, help: string, ...labels: Label[]) =>
    gauge({ name, help, labels }),
  time: <Label extends string>(name: string, help: string, ...labels: Label[]) =>
    histogram({ name, help, labels }),
  lag: <Label extends string>(buckets: readonly number[], name: string, help: string, ...labels: Label[]) =>
    histogram({ name, help, labels }, buckets),
});

type Rows = ReturnType<typeof createRows>;

const answering = ({ count, time, lag }: Rows) => ({
  commandDuration: time('tds_command_duration_seconds', 'Time to answer a command', 'name', 'outcome'),
  commandsRefused: count('tds_commands_refused_total', 'Commands refused because of overload'),
  callDuration: time(
    'tds_call_duration_seconds',
    'Time that a call of another service took',
    'name',
    'outcome',
  ),
  httpRequestDuration: time(
    'tds_http_request_duration_seconds',
    'Time to answer an HTTP request; cache is HIT, MISS, or empty where nothing is cached',
    'route',
    'method',
    'status',
    'cache',
  ),
  eventLag: lag(
    LAG_SECONDS,
    'tds_event_lag_seconds',
    'Time from the commit of an event to its listener',
    'name',
  ),
  busReconnects: count('tds_bus_reconnects_total', 'Reconnections to the broker'),
});

/** Events on their way to the stream, and in it. */
const publishing = ({ count, value, lag }: Rows) => ({
  outboxUnpublished: value('tds_outbox_unpublished', 'Rows of the outbox that the stream has not acknowledged'),
  outboxLag: value('tds_outbox_lag_seconds', 'Age of the oldest unpublished row of the outbox'),
  publishLag: lag(
    QUICK_SECONDS,
    'tds_publish_lag_seconds',
    'Time from saving an event to its acknowledgement by the stream',
  ),
  publishErrors: count('tds_publish_errors_total', 'Events that the broker did not take when asked'),
  streamFull: value('tds_stream_full', '1 while the broker has no room for events: they wait in the outbox'),
  streamKeeps: value('tds_stream_keeps', 'What the stream of the service keeps: bytes, messages', 'what'),
  streamMost: value('tds_stream_most', 'What it may keep at most; -1 where there is no limit', 'what'),
});

/** Events that have to be handled or published once more. */
const recovering = ({ count }: Rows) => ({
  eventsPublishedAgain: count(
    'tds_events_published_again_total',
    'Events that the broker had acknowledged and lost',
  ),
  lostEvents: count(
    'tds_lost_events_total',
    'Events that this database had lost and that are handled again',
    'name',
  ),
  ownLostEvents: count(
    'tds_own_lost_events_total',
    'Events that this service emitted and that its database lacks',
    'name',
  ),
  eventGaps: count(
    'tds_event_gaps_total',
    'Times that this database may have lacked events that the stream keeps no more',
    'name',
  ),
});

const working = ({ count, value, time, lag }: Rows) => ({
  tasks: value('tds_tasks', 'Tasks by name and state', 'name', 'state'),
  taskDuration: time('tds_task_duration_seconds', 'Time of one attempt of a task', 'name', 'outcome'),
  taskLag: lag(QUICK_SECONDS, 'tds_task_lag_seconds', 'Time from a task being due to its start', 'name'),
  oldestDue: value(
    'tds_task_oldest_due_seconds',
    'For how long the first task has been due that no worker has begun',
    'name',
  ),
  leasesLost: count(
    'tds_task_leases_lost_total',
    'Attempts that ended after another worker had taken over, or the task was cancelled',
    'name',
  ),
  deadLetters: count('tds_dead_letters_total', 'Messages given up', 'source'),
  scheduleFailing: value('tds_schedule_failing', '1 where the last run of a schedule has failed', 'name'),
  scheduleOverdue: value(
    'tds_schedule_overdue_seconds',
    'For how long a schedule has been due without a completed run',
    'name',
  ),
});

/** Servers, and what waits in them. */
const sampling = ({ count, value }: Rows) => ({
  checkFailing: value('tds_check_failing', '1 for each check of /ready that fails', 'check'),
  backlog: value(
    'tds_backlog',
    'What waits for the service though it is due: rows, jobs, deliveries, charges',
    'what',
  ),
  backlogOldest: value('tds_backlog_oldest_seconds', 'For how long the first of them has waited', 'what'),
  databaseBytes: value('tds_database_bytes', 'What the database of the service takes on disk'),
  poolConnections: value(
    'tds_pool_connections',
    'Connections to Postgres: total, idle, and callers that wait for one; of the service and of the kit',
    'pool',
    'state',
  ),
  redisAway: value(
    'tds_redis_away',
    '1 while the service goes on without a Redis: it does not answer, or it is full',
    'server',
    'why',
  ),
  projectionFailures: count(
    'tds_projection_failures_total',
    'Reads and writes of projections that Redis did not answer',
    'projection',
    'operation',
  ),
  projectionsRefused: count(
    'tds_projections_refused_total',
    'Values in Redis that are not believed: not signed, not by a key of ours, wrongly, or kept beyond their end',
    'projection',
    'why',
  ),
});

/** A service's metrics, with those of the kit. Names of messages are labels, ids never are; `outcome` is `ok` or the code of the error. */
export const createInstruments = (metrics: Metrics) => {
  const rows = createRows(metrics);
  return {
    ...metrics,
    ...answering(rows),
    ...publishing(rows),
    ...recovering(rows),
    ...working(rows),
    ...sampling(rows),
  };
};

export type Instruments = ReturnType<typeof createInstruments>;
