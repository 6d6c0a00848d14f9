import type { Dashboard, Panel } from './panel.ts';

const rate = (metric: string, by: string): string => `sum by (${by}) (rate(${metric}[5m]))`;
const quantile = (q: number, histogram: string, by: string): string =>
  `histogram_quantile(${q}, sum by (${by}, le) (rate(${histogram}_bucket[5m])))`;
const largest = (metric: string, by: string): string => `max by (${by}) (${metric})`;
const p95 = (title: string, histogram: string, by: string): Panel => ({
  title,
  expr: quantile(0.95, histogram, by),
  legend: legendOf(by),
  unit: 's',
});
const legendOf = (by: string): string =>
  by
    .split(', ')
    .map((label) => `{{${label}}}`)
    .join(' ');
const most = (title: string, metric: string, by: string, unit: Panel['unit'] = 'short'): Panel => ({
  title,
  expr: largest(metric, by),
  legend: legendOf(by),
  unit,
});
const perSecond = (title: string, metric: string, by: string, unit: Panel['unit'] = 'ops'): Panel => ({
  title,
  expr: rate(metric, by),
  legend: legendOf(by),
  unit,
});

const http = 'tds_http_request_duration_seconds';

const overview: Dashboard = {
  title: 'Overview',
  rows: {
    Objectives: [
      {
        title: 'Failed or late, within an hour',
        expr: 'slo:error_ratio:1h',
        legend: '{{slo}}',
        unit: 'percentunit',
      },
      {
        title: 'Failed or late, within three days',
        expr: 'slo:error_ratio:3d',
        legend: '{{slo}}',
        unit: 'percentunit',
        kind: 'stat',
      },
      {
        title: 'Alerts',
        expr: 'sum by (alertname, severity) (ALERTS{alertstate="firing"})',
        legend: '{{alertname}} ({{severity}})',
        unit: 'short',
      },
    ],
    Requests: [
      perSecond('Requests', `${http}_count`, 'route', 'reqps'),
      perSecond('Failures of ours', `${http}_count{status=~"5.."}`, 'route, status', 'reqps'),
      perSecond('Transcripts by cache', `${http}_count{route="getTranscript"}`, 'cache, status', 'reqps'),
      p95('Cached and cold transcripts, p95', `${http}`, 'cache'),
      p95('Requests, p95', http, 'route'),
      p95('Commands, p95', 'tds_command_duration_seconds', 'service, name'),
    ],
  },
};

const work: Dashboard = {
  title: 'Work and money',
  rows: {
    Platform: [
      most('Ways that are given up', 'tds_circuit_open', 'strategy, exit'),
      perSecond('Checks of known videos', 'tds_canary_checks_total', 'outcome'),
      most('Waiting for a turn', 'tds_backlog{what=~"reads|rows"}', 'what'),
      perSecond(
        'Commands of the fetcher by outcome',
        'tds_command_duration_seconds_count{service="transcript-fetcher"}',
        'name, outcome',
      ),
    ],
    'Jobs and webhooks': [
      perSecond('Rows that have ended', 'tds_job_rows_total', 'outcome'),
      most(
        'Overdue',
        'tds_backlog_oldest_seconds{what=~"jobs|deliveries|feeds|turns|observations"}',
        'what',
        's',
      ),
      p95('Deliveries leave late by, p95', 'tds_delivery_lag_seconds', 'service'),
    ],
    Money: [
      most('Charges that the ledger has not taken', 'tds_backlog{what="charges"}', 'service'),
      most('Paid and not granted, for', 'tds_backlog_oldest_seconds{what="purchases"}', 'service', 's'),
      perSecond(
        'Commands of ledger and billing by outcome',
        'tds_command_duration_seconds_count{service=~"credits-ledger|billing"}',
        'name, outcome',
      ),
    ],
  },
};

const messages: Dashboard = {
  title: 'Messages, tasks and schedules',
  rows: {
    Events: [
      most('Oldest event that has not left', 'tds_outbox_lag_seconds', 'service', 's'),
      p95('Heard late by, p95', 'tds_event_lag_seconds', 'service, name'),
      {
        title: 'Streams, full by',
        expr: largest('tds_stream_keeps / (tds_stream_most > 0)', 'service, what'),
        legend: '{{service}} {{what}}',
        unit: 'percentunit',
      },
      perSecond(
        'Published again or lost',
        '{__name__=~"tds_events_published_again_total|tds_lost_events_total|tds_own_lost_events_total|tds_event_gaps_total"}',
        'service, __name__',
      ),
      perSecond('Reconnections', 'tds_bus_reconnects_total', 'service'),
    ],
    Tasks: [
      most('Tasks', 'tds_tasks', 'service, name, state'),
      most('Overdue', 'tds_task_oldest_due_seconds', 'service, name', 's'),
      p95('Attempts, p95', 'tds_task_duration_seconds', 'service, name'),
    ],
    Schedules: [
      most('Overdue', 'tds_schedule_overdue_seconds', 'service, name', 's'),
      most('Failing', 'tds_schedule_failing', 'service, name'),
      perSecond('Leases lost', 'tds_task_leases_lost_total', 'service, name'),
    ],
  },
};

const processes: Dashboard = {
  title: 'Processes and servers',
  rows: {
    Processes: [
      perSecond('Processor time', 'process_cpu_seconds_total', 'service, instance', 'percentunit'),
      most('Memory', 'process_resident_memory_bytes', 'service, instance', 'bytes'),
      most('Event loop, longest block', 'nodejs_eventloop_lag_max_seconds', 'service, instance', 's'),
      most('Checks that fail', 'tds_check_failing > 0', 'service, check'),
      p95('Calls of other services, p95', 'tds_call_duration_seconds', 'service, name'),
      perSecond('Commands refused', 'tds_commands_refused_total', 'service'),
    ],
    'Postgres and Redis': [
      most('Connections', 'tds_pool_connections{state="total"}', 'service, pool'),
      most('Waiting for a connection', 'tds_pool_connections{state="waiting"}', 'service, pool'),
      most('Databases', 'tds_database_bytes', 'service', 'bytes'),
      most('Redis away', 'tds_redis_away', 'server, why'),
      perSecond(
        'Reads and writes that Redis did not answer',
        'tds_projection_failures_total',
        'service, projection',
      ),
      perSecond('Values that are not believed', 'tds_projections_refused_total', 'projection, why'),
    ],
  },
};

export const dashboards: Readonly<Record<string, Dashboard>> = { overview, work, messages, processes };
