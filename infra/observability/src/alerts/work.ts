import { type Alert, steady } from '../alert.ts';

/** Of all instances: one of them checks at a time. */
const checks = (outcome: 'passed' | 'failed'): string =>
  `sum by (service) (increase(tds_canary_checks_total{outcome="${outcome}"}[5m]))`;
const waiting = 'tds_backlog{what=~"reads|rows"}';

/** What customers wait for and pay for. */
export const work: readonly Alert[] = [
  {
    name: 'PlatformUnreachable',
    severity: 'page',
    summary: 'No way to the platform is tried any more: nothing cold can be delivered',
    expr: 'min by (service) (tds_circuit_open) == 1',
    for: '2m',
    examples: ['web', 'android'].map((strategy) => ({
      series: `tds_circuit_open{service="transcript-fetcher",strategy="${strategy}",exit="direct"}`,
      fires: steady(1),
      rests: steady(strategy === 'web' ? 1 : 0),
    })),
    labels: { service: 'transcript-fetcher' },
  },
  {
    name: 'KnownVideosFail',
    severity: 'page',
    summary:
      'Known videos come by no way to the platform, whatever circuits say: nothing cold can be delivered',
    expr: `${checks('passed')} == 0 and ${checks('failed')} > 0`,
    for: '2m',
    examples: [
      {
        series: 'tds_canary_checks_total{service="transcript-fetcher",outcome="passed"}',
        fires: steady(40),
        rests: '40+2x30',
      },
      {
        series: 'tds_canary_checks_total{service="transcript-fetcher",outcome="failed"}',
        fires: '0+8x30',
        rests: '0+6x30',
      },
    ],
    labels: { service: 'transcript-fetcher' },
  },
  {
    name: 'CircuitOpen',
    severity: 'ticket',
    summary: 'One way to the platform has failed for a quarter of an hour at most instances',
    // A strategy that no read has needed since an outage is not tried either.
    expr: 'avg by (strategy, exit) (tds_circuit_open) > 0.5 and min by (strategy, exit) (tds_circuit_failed_seconds) < 600',
    for: '15m',
    examples: [
      {
        series: 'tds_circuit_open{service="transcript-fetcher",strategy="web",exit="proxy-1"}',
        fires: steady(1),
        rests: steady(1),
      },
      {
        series: 'tds_circuit_failed_seconds{service="transcript-fetcher",strategy="web",exit="proxy-1"}',
        fires: steady(20),
        rests: '20+60x30',
      },
    ],
    labels: { strategy: 'web', exit: 'proxy-1' },
    at: '20m',
  },
  {
    name: 'RowsPileUp',
    severity: 'ticket',
    summary: 'More than a thousand rows wait for their turn, and they become no fewer',
    expr: `max by (what) (${waiting}) > 1000 and max by (what) (deriv(${waiting}[30m])) >= 0`,
    for: '15m',
    examples: [
      {
        series: 'tds_backlog{service="transcript-fetcher",what="rows"}',
        fires: '1500+10x90',
        rests: '5000-40x90',
      },
    ],
    labels: { what: 'rows' },
    at: '60m',
  },
  {
    name: 'JobsOverdue',
    severity: 'page',
    summary: 'Jobs are due and no process takes them up',
    expr: 'max by (service) (tds_backlog_oldest_seconds{what="jobs"}) > 60',
    for: '2m',
    examples: [
      {
        series: 'tds_backlog_oldest_seconds{service="bulk-orchestrator",what="jobs"}',
        fires: steady(90),
        rests: steady(1),
      },
    ],
    labels: { service: 'bulk-orchestrator' },
  },
  {
    name: 'DeliveriesOverdue',
    severity: 'page',
    summary: 'Webhooks are due and no process sends them',
    expr: 'max by (service) (tds_backlog_oldest_seconds{what="deliveries"}) > 60',
    for: '2m',
    examples: [
      {
        series: 'tds_backlog_oldest_seconds{service="webhook-dispatcher",what="deliveries"}',
        fires: steady(90),
        rests: steady(1),
      },
    ],
    labels: { service: 'webhook-dispatcher' },
  },
  {
    name: 'MonitorsOverdue',
    severity: 'page',
    summary: 'Watched channels are due and no process reads them, or their monitors wait for a turn',
    expr: 'max by (service, what) (tds_backlog_oldest_seconds{what=~"feeds|turns|errands"}) > 300',
    for: '2m',
    examples: [
      {
        series: 'tds_backlog_oldest_seconds{service="monitor-scheduler",what="feeds"}',
        fires: '300+60x30',
        rests: steady(20),
      },
    ],
    labels: { service: 'monitor-scheduler', what: 'feeds' },
  },
  {
    name: 'ObservationsOverdue',
    severity: 'page',
    summary: 'Status hears nothing of the platform: it says that new work is down, and misses days of outage',
    expr: 'max by (service) (tds_backlog_oldest_seconds{what="observations"}) > 120',
    for: '2m',
    examples: [
      {
        series: 'tds_backlog_oldest_seconds{service="status",what="observations"}',
        fires: '120+60x30',
        rests: '30+0x5 0+0x30',
      },
    ],
    labels: { service: 'status' },
  },
  {
    name: 'ChargesUntold',
    severity: 'page',
    summary: 'The ledger does not take what was delivered or given back: balances are wrong meanwhile',
    expr: 'max by (service) (tds_backlog{what="charges"}) > 0',
    for: '10m',
    examples: [
      {
        series: 'tds_backlog{service="transcript-fetcher",what="charges"}',
        fires: steady(4),
        rests: '4+0x5 0+0x25',
      },
    ],
    labels: { service: 'transcript-fetcher' },
    at: '15m',
  },
  {
    name: 'PurchasesUngranted',
    severity: 'page',
    summary: 'A customer has paid and has no credits',
    expr: 'max by (service) (tds_backlog_oldest_seconds{what="purchases"}) > 300',
    for: '2m',
    examples: [
      {
        series: 'tds_backlog_oldest_seconds{service="billing",what="purchases"}',
        fires: steady(400),
        rests: steady(10),
      },
    ],
    labels: { service: 'billing' },
  },
  {
    name: 'PaymentsMisfit',
    severity: 'ticket',
    summary: 'The payment processor has said something of money that our record contradicts',
    expr: 'max by (service) (tds_backlog{what="misfits"}) > 0',
    for: '2m',
    examples: [
      {
        series: 'tds_backlog{service="billing",what="misfits"}',
        fires: steady(1),
        rests: steady(0),
      },
    ],
    labels: { service: 'billing' },
  },
  {
    name: 'PaymentsUnreconciled',
    severity: 'page',
    summary:
      'The events or purchases of the payment processor are not compared: what webhooks lose stays lost',
    expr: 'max by (service, name) (tds_schedule_failing{service="billing",name=~"reconcile-.*"}) == 1',
    for: '10m',
    examples: [
      {
        series: 'tds_schedule_failing{service="billing",name="reconcile-events"}',
        fires: steady(1),
        rests: '1+0x5 0+0x25',
      },
    ],
    labels: { service: 'billing', name: 'reconcile-events' },
    at: '15m',
  },
];
