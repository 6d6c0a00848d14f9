import { expect, it } from '@jest/globals';
import { alerts } from './alerts.ts';

/**
 * How each alert was made to fire, in a run of `npm start -- --processes` with `for` and windows shortened to seconds; it ended after its runbook
 * or the end of the cause. A "stranger" is a psql session that keeps its transaction open; the simulator is controlled at
 * PLATFORM/__simulator/addFault.
 */
const drills: Readonly<Record<string, string>> = {
  ServiceDown: '`kill -STOP` a service; take the file of targets away for the one without `instance`',
  ServiceNotReady: '`kill -STOP` nats-server',
  EventLoopBlocked: 'a loop of `kill -STOP`, 0.4 s, `kill -CONT`, 0.3 s on a service',
  PoolExhausted: 'a stranger has `LOCK TABLE jobs`; six `GET /v1/jobs` a second',
  RedisAway:
    '`kill -STOP` the redis-server of limits; for `full`, `config set maxmemory 1000000` and two reads a second',
  RedisNotBelieved: 'change a letter of an `identity:principal:*` in Redis, and use that key',
  BrokerUnsteady: '`kill -9` nats-server four times, seven seconds apart',
  DatabaseGrows: 'a table of 1.1 GB in the database of search',
  OutboxLag: '`kill -STOP` nats-server for a minute; or a stream that is full',
  StreamNearlyFull: 'start with `EVENTS_MAX_MESSAGES` a little above what `tds_stream_keeps` says',
  EventsLate: '`kill -STOP` status for 85 seconds, then `kill -CONT`',
  DatabaseWentBack:
    'copy the database of identity (`CREATE DATABASE ... TEMPLATE identity`), make a key, and put the copy in its place',
  DeadLetters: "a task in archiver's database with such a payload; `due_at` moved on for each attempt",
  TasksOverdue: 'a stranger has the row of a task `FOR UPDATE` when it becomes due',
  SchedulesOverdue: 'the same with the row of a schedule, `due_at` set back by eleven minutes',
  ScheduleFailing: 'rename a column that `reconcile-reservations` of search reads',
  LostEventsUnsearched: 'rename a column of `messaging.positions` in the database of monitor-scheduler',
  Overloaded:
    'start with `MAX_COMMANDS_IN_FLIGHT=2`; a stranger has `LOCK TABLE jobs`; five `GET /v1/jobs` a second',
  PlatformUnreachable: 'the simulator with `block`, and a dozen cold reads',
  KnownVideosFail: 'the simulator with `server_error`',
  StatusImpaired:
    "`UPDATE cold_counts SET count = 1000000 WHERE scope = 'pool:global'` in the fetcher's database, which makes `capacity`",
  DayBytesSpent: "9,500,000,000 bytes of today in the row `all` of `proxy_spending` in the fetcher's database",
  CircuitOpen: 'the same as PlatformUnreachable',
  AddressesRefused:
    'start with `PLATFORM_PROXY_URLS` of a gateway of addresses, nine of ten of which the platform blocks, and two cold reads a second',
  TokensFail:
    'start with `PO_TOKEN_PROVIDER_URL=PLATFORM`; the simulator with `server_error` for `get_pot`, and cold reads of `tokenXpe_01` and `tokenAXpe01`',
  StrategiesRefused: 'start with `PLATFORM_STRATEGIES_FILE`, and write `[` into that file',
  UnreadableEntries: 'thirty different searches at the simulator, each page of which has a video without an id',
  RowsPileUp: 'the simulator with `block`, and 1,500 rows of jobs that are `ready`',
  JobsOverdue: 'a stranger has the rows of jobs `FOR UPDATE` when one becomes due',
  DeliveriesOverdue: 'the same with the rows of `queues`',
  MonitorsOverdue: 'the same with the rows of `feeds`, `due_at` set back by five minutes',
  ObservationsOverdue:
    "start with `EVENTS_MAX_MESSAGES` a little above what the fetcher's stream keeps, and let it become full",
  ChargesUntold: 'the simulator is slow by four seconds; `kill -STOP` credits-ledger during a cold read',
  PurchasesUngranted: 'pay at the simulator with credits-ledger stopped; `paid_at` set back by five minutes',
  PaymentsMismatched:
    'a dispute of 5000 for a block of 20, by `POST /control/dispute` of the payment simulator',
  PaymentsUnreconciled: 'the payment simulator with `error`',
  CachedReadBurnsBudget: '`kill -STOP` the redis-server of the cache; five cached reads a second',
  ColdReadBurnsBudget: 'the simulator with `server_error`; 48 cold reads of two keys',
  JobBurnsBudget:
    'a job for each of eight keys, of three good videos and one that fails alone (`truncJson01`, `oddStatus01`, ...); `tries` set to 2. Rows that fail together are an outage: their jobs pause',
  DeliveryBurnsBudget:
    'thirty test deliveries that failed once; `kill -STOP` webhook-dispatcher for sixteen seconds when they are due again',
};

/** Only promtool has played these: they need a cluster, or the last one a mail server that fails for minutes. */
const undrilled = ['BackupsFail', 'WalNotArchived', 'StandbyBehind', 'DiskNearlyFull', 'SignInMailsFail'];

it('says of each alert but those that need a cluster, and of nothing else, how it was fired on purpose', () => {
  expect([...Object.keys(drills), ...undrilled].toSorted()).toEqual(
    [...new Set(alerts.map(({ name }) => name))].toSorted(),
  );
});
