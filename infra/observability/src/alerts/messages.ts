import { type Alert, growth, steady } from '../alert.ts';

const wentBack = '{__name__=~"tds_own_lost_events_total|tds_event_gaps_total"}';

/** Events, tasks and schedules, which are the same in every service. */
export const messages: readonly Alert[] = [
  {
    name: 'OutboxLag',
    severity: 'page',
    summary: 'Events of a service do not leave: subscribers learn nothing of its changes',
    expr: 'max by (service) (tds_outbox_lag_seconds) > 30',
    for: '1m',
    examples: [{ series: 'tds_outbox_lag_seconds{service="identity"}', fires: steady(45), rests: steady(5) }],
    labels: { service: 'identity' },
  },
  {
    name: 'StreamNearlyFull',
    severity: 'ticket',
    summary:
      'The stream of a service has kept four fifths of what it may: soon its events wait in the outbox',
    expr: 'max by (service, what) (tds_stream_keeps / (tds_stream_most > 0)) > 0.8',
    for: '5m',
    examples: [
      { series: 'tds_stream_keeps{service="search",what="bytes"}', fires: steady(85), rests: steady(60) },
      { series: 'tds_stream_most{service="search",what="bytes"}', fires: steady(100), rests: steady(100) },
    ],
    labels: { service: 'search', what: 'bytes' },
  },
  {
    name: 'EventsLate',
    severity: 'ticket',
    summary: 'Listeners of a service hear events more than a minute late',
    expr: 'histogram_quantile(0.95, sum by (service, le) (rate(tds_event_lag_seconds_bucket[5m]))) > 60',
    for: '10m',
    examples: [
      { series: 'tds_event_lag_seconds_bucket{service="search",le="60"}', fires: '0+1x30', rests: '0+9x30' },
      { series: 'tds_event_lag_seconds_bucket{service="search",le="300"}', fires: '0+9x30', rests: '0+9x30' },
      {
        series: 'tds_event_lag_seconds_bucket{service="search",le="+Inf"}',
        fires: '0+9x30',
        rests: '0+9x30',
      },
    ],
    labels: { service: 'search' },
    at: '20m',
  },
  {
    name: 'DatabaseWentBack',
    severity: 'page',
    summary: 'A database lacks what its service has published or received: it is an older copy',
    expr: `${growth(wentBack, 'service', '1h')} > 0`,
    for: '0m',
    examples: [
      {
        series: 'tds_own_lost_events_total{service="identity",name="key-revoked"}',
        fires: '_x40 4+0x40',
        rests: '_',
      },
      {
        series: 'tds_event_gaps_total{service="search",name="key-revoked"}',
        fires: '_',
        rests: steady(1, 90),
      },
    ],
    labels: { service: 'identity' },
    at: '70m',
  },
  {
    name: 'DeadLetters',
    severity: 'ticket',
    summary: 'A task or an event has been given up; find out why, and replay or drop it',
    expr: 'max by (service, name) (tds_tasks{state="dead"}) > 0',
    for: '5m',
    examples: [
      {
        series: 'tds_tasks{service="billing",name="settle-purchase",state="dead"}',
        fires: steady(1),
        rests: steady(0),
      },
    ],
    labels: { service: 'billing', name: 'settle-purchase' },
  },
  {
    name: 'TasksOverdue',
    severity: 'page',
    summary: 'A task has been due for two minutes and no process works on it',
    expr: 'max by (service, name) (tds_task_oldest_due_seconds) > 120',
    for: '2m',
    examples: [
      {
        series: 'tds_task_oldest_due_seconds{service="archiver",name="build-archive"}',
        fires: '100+30x30',
        rests: steady(20),
      },
    ],
    labels: { service: 'archiver', name: 'build-archive' },
  },
  {
    name: 'SchedulesOverdue',
    severity: 'page',
    summary: 'A schedule was due ten minutes ago and no process has run it to its end',
    expr: 'max by (service, name) (tds_schedule_overdue_seconds) > 600',
    for: '2m',
    examples: [
      {
        series: 'tds_schedule_overdue_seconds{service="credits-ledger",name="open-months"}',
        fires: steady(900),
        rests: steady(30),
      },
    ],
    labels: { service: 'credits-ledger', name: 'open-months' },
  },
  {
    name: 'ScheduleFailing',
    severity: 'ticket',
    summary: 'A schedule has failed for a quarter of an hour, or at its last run where it is seldom',
    expr: 'max by (service, name) (tds_schedule_failing) == 1',
    for: '15m',
    examples: [
      {
        series: 'tds_schedule_failing{service="search",name="purge-old-rows"}',
        fires: steady(1),
        rests: '1+0x9 0+0x20',
      },
    ],
    labels: { service: 'search', name: 'purge-old-rows' },
    at: '20m',
  },
  {
    name: 'Overloaded',
    severity: 'ticket',
    summary: 'A service refuses commands because it has too many in hand: callers get 503',
    expr: 'sum by (service) (rate(tds_commands_refused_total[5m])) > 0',
    for: '2m',
    examples: [{ series: 'tds_commands_refused_total{service="search"}', fires: '0+5x30', rests: steady(0) }],
    labels: { service: 'search' },
  },
];
