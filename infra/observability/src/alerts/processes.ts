import { type Alert, growth, steady } from '../alert.ts';

const refused = 'tds_projections_refused_total';

/** Processes, and the servers that they need. */
export const processes: readonly Alert[] = [
  {
    name: 'ServiceDown',
    severity: 'page',
    summary: 'A process of the service does not answer, or nothing is scraped at all',
    expr: 'up{job="tds"} == 0 or absent(up{job="tds"})',
    for: '1m',
    examples: [{ series: 'up{job="tds",service="search",instance="a"}', fires: steady(0), rests: steady(1) }],
    labels: { job: 'tds', service: 'search', instance: 'a' },
  },
  {
    name: 'ServiceNotReady',
    severity: 'page',
    summary: 'A check of /ready fails: what the process needs is away, refuses it, or its work stands still',
    expr: 'max by (service, check) (tds_check_failing) == 1',
    for: '2m',
    examples: [
      { series: 'tds_check_failing{service="search",check="database"}', fires: steady(1), rests: steady(0) },
    ],
    labels: { service: 'search', check: 'database' },
  },
  {
    name: 'EventLoopBlocked',
    severity: 'ticket',
    summary: 'A process computes for so long at a time that everybody else waits',
    // Of a second in each four, the 99th percentile knows nothing: while it is blocked a loop takes no samples.
    expr: 'max by (service, instance) (min_over_time(nodejs_eventloop_lag_max_seconds[1m])) > 0.2',
    for: '5m',
    examples: [
      {
        series: 'nodejs_eventloop_lag_max_seconds{service="gateway",instance="a"}',
        fires: steady(1),
        rests: '0.02+0x4 3+0x0 0.02+0x25',
      },
    ],
    labels: { service: 'gateway', instance: 'a' },
  },
  {
    name: 'PoolExhausted',
    severity: 'page',
    summary: 'Callers have waited for a connection to Postgres at every look for two minutes',
    expr: 'max by (service, pool) (min_over_time(tds_pool_connections{state="waiting"}[2m])) > 0',
    for: '1m',
    examples: [
      {
        series: 'tds_pool_connections{service="identity",pool="service",state="waiting"}',
        fires: steady(12),
        rests: '12+0x2 0+0x1 9+0x2 0+0x30',
      },
    ],
    labels: { service: 'identity', pool: 'service' },
  },
  {
    name: 'RedisAway',
    severity: 'page',
    summary: 'Gateways go on without a Redis: limits hold per process only, or cached reads are slower',
    expr: 'max by (server, why) (tds_redis_away) == 1',
    for: '1m',
    examples: [
      {
        series: 'tds_redis_away{service="gateway",server="limits",why="no answer"}',
        fires: steady(1),
        rests: '1 0+0x30',
      },
    ],
    labels: { server: 'limits', why: 'no answer' },
  },
  {
    name: 'RedisNotBelieved',
    severity: 'page',
    summary: 'Redis holds values that none of our services has signed: an intruder may have written them',
    expr: `${growth(refused, 'projection, why', '15m')} > 0`,
    for: '0m',
    examples: [
      {
        series: `${refused}{service="gateway",projection="principal",why="not-signed"}`,
        fires: '_x8 1+0x20',
        rests: steady(1),
      },
    ],
    labels: { projection: 'principal', why: 'not-signed' },
    at: '20m',
  },
  {
    name: 'BrokerUnsteady',
    severity: 'ticket',
    summary: 'Connections to NATS break again and again',
    expr: 'sum by (service) (increase(tds_bus_reconnects_total[15m])) >= 3',
    for: '0m',
    examples: [
      { series: 'tds_bus_reconnects_total{service="search"}', fires: '0+1x30', rests: '0+0x9 1+0x20' },
    ],
    labels: { service: 'search' },
    at: '20m',
  },
  {
    name: 'DatabaseGrows',
    severity: 'ticket',
    summary: 'A database of more than a gigabyte has grown by half within a day',
    expr: 'max by (service) (tds_database_bytes) > 1e9 and max by (service) (tds_database_bytes) > 1.5 * max by (service) (tds_database_bytes offset 1d)',
    for: '1h',
    examples: [
      {
        series: 'tds_database_bytes{service="search"}',
        fires: '1000000000+1000000x1800',
        rests: '5000000000+100000x1800',
      },
    ],
    labels: { service: 'search' },
    at: '28h',
  },
];
