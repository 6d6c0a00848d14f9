import type { Finding } from '@tds/audit';
import { storedServiceNames } from '@tds/local';
import { failuresPaidByOthers } from './checks/reported-charges.ts';
import type { Harness } from './harness.ts';
import type { Watched } from './watch-run.ts';

/** The share of `sorted` numbers at or below which the given part of them lies. */
export const percentile = (numbers: readonly number[], part: number): number | null => {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? null;
};

export type FaultFigures = {
  readonly name: string;
  readonly times: number;
  readonly kills: number;
  readonly p50: number | null;
  readonly p99: number | null;
};

export type Figures = {
  readonly seed: number;
  readonly minutes: number;
  readonly kills: number;
  readonly faults: readonly FaultFigures[];
  readonly crashPoints: {
    readonly reached: number;
    readonly tried: number;
    readonly notReached: readonly string[];
  };
  readonly calls: Readonly<Record<'ok' | 'failed' | 'unknown', number>>;
  readonly resolvedTo: Readonly<Record<string, number>>;
  readonly acknowledged: Readonly<Record<string, number>>;
  readonly serverErrors: Readonly<Record<string, number>>;
  readonly cachedReadsDuringFaults: number;
  readonly failuresPaidByOthers: number;
  readonly refunds: number;
  /** Paid blocks. */
  readonly purchases: number;
  /** Of these, those that a card was charged for without its holder. */
  readonly refills: number;
  /** What came to receivers, by their form. */
  readonly receiverMessages: Readonly<Record<string, number>>;
  /** Mails of the monitor of which people choose mails, by the beginning of their addresses. */
  readonly monitorMails: Readonly<Record<string, number>>;
  /** Of channels that are watched. */
  readonly newVideos: number;
  readonly lateRedis: number;
  readonly revocations: number;
  readonly fencings: number;
  readonly lostByBroker: number;
  readonly impossible: readonly string[];
  readonly outboxLag: {
    readonly p50: number | null;
    readonly p99: number | null;
    readonly most: number | null;
  };
  readonly tasks: {
    readonly all: number;
    readonly retried: number;
    readonly dead: number;
  };
  readonly deadLetters: number;
  readonly entries: number;
  readonly operations: number;
  readonly searches: number;
  readonly listings: number;
  readonly seals: number;
  readonly quietAfterMs: number | null;
  readonly memoryMiB: Readonly<Record<string, number>>;
  readonly findings: readonly Finding[];
};

const TASKS = `
  SELECT count(*)::int AS all, count(*) FILTER (WHERE attempts > 1)::int AS retried,
    count(*) FILTER (WHERE state = 'dead')::int AS dead
  FROM messaging.tasks`;
const COUNT = (table: string) => `SELECT count(*)::int AS count FROM ${table}`;

const counted = (names: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const name of names.toSorted()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
};

const faultFigures = ({ history }: Harness): FaultFigures[] =>
  [...new Set(history.faults.map(({ fault }) => fault))].toSorted().map((name) => {
    const these = history.faults.filter(({ fault, happened }) => fault === name && happened);
    const times = these.flatMap(({ recoveredMs }) => recoveredMs ?? []);
    const kills = these.reduce((sum, each) => sum + each.kills, 0);
    return { name, times: these.length, kills, p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
  });

const taskFigures = async ({ evidence }: Harness): Promise<Figures['tasks']> => {
  const sums = { all: 0, retried: 0, dead: 0 };
  for (const service of storedServiceNames) {
    const [row] = await evidence.rows<typeof sums>(service, TASKS);
    for (const key of Object.keys(sums) as (keyof typeof sums)[]) sums[key] += row?.[key] ?? 0;
  }
  return sums;
};

const countRows = async ({ evidence }: Harness, service: string, table: string): Promise<number> =>
  (await evidence.rows<{ count: number }>(service, COUNT(table)))[0]?.count ?? 0;

const callFigures = ({ history: { calls, faults, resolved, kept } }: Harness) => {
  const hotReads = calls.filter(({ kind, hot }) => kind === 'cached' && hot);
  const protecting = faults.filter(({ cachedReads }) => cachedReads);
  const crashes = faults.filter(({ fault }) => fault === 'crash-point');
  const of = (outcome: string) => calls.filter((call) => call.outcome === outcome);
  return {
    calls: { ok: of('ok').length, failed: of('failed').length, unknown: of('unknown').length },
    resolvedTo: counted(resolved.map(({ became }) => became)),
    acknowledged: counted(of('ok').map(({ kind, status }) => `${kind} ${status}`)),
    serverErrors: counted(
      calls
        .filter(({ status }) => (status ?? 0) >= 500)
        .map(({ kind, status, code }) => `${kind} ${status} ${code}`),
    ),
    cachedReadsDuringFaults: hotReads.filter(({ at }) =>
      protecting.some((each) => at >= each.at && at <= each.until),
    ).length,
    crashPoints: {
      tried: crashes.length,
      reached: crashes.filter(({ happened }) => happened).length,
      notReached: crashes.filter(({ happened }) => !happened).map(({ target }) => target),
    },
    revocations: kept.filter(({ type }) => type === 'revocation').length,
  };
};

const messagesByForm = ({ receivers, system }: Harness): Record<string, number> => {
  const forms = new Map(receivers.map(({ path, form }) => [path, form]));
  return counted(system.receiver.received().flatMap(({ path }) => forms.get(path) ?? []));
};

const mailsByPerson = ({ mails: { caught, monitorId } }: Harness): Record<string, number> => {
  const ofMonitor = [...caught.values()].filter(({ text }) => text.includes(monitorId));
  return counted(ofMonitor.map(({ email }) => email.replace(/-.*/, '')));
};

export type Run = {
  readonly seed: number;
  readonly watched: Watched;
  readonly quietAfterMs: number | null;
  readonly findings: readonly Finding[];
};

/** Everything that the report tells, from the history, the databases and the metrics. */
export const gatherFigures = async (harness: Harness, run: Run): Promise<Figures> => {
  const { seals, outboxLagSeconds, memoryMiB } = run.watched;
  const faults = faultFigures(harness);
  let deadLetters = 0;
  for (const service of storedServiceNames)
    deadLetters += await countRows(harness, service, 'messaging.dead_letters');
  return {
    seed: run.seed,
    quietAfterMs: run.quietAfterMs,
    findings: run.findings,
    faults,
    deadLetters,
    ...callFigures(harness),
    minutes: harness.history.now() / 60_000,
    kills: faults.reduce((sum, { kills }) => sum + kills, 0),
    failuresPaidByOthers: (await failuresPaidByOthers(harness.evidence, harness.history)).length,
    refunds: await countRows(harness, 'credits-ledger', "entries WHERE kind = 'grant' AND reason = 'refund'"),
    newVideos: await countRows(harness, 'monitor-scheduler', 'videos WHERE number IS NOT NULL'),
    purchases: await countRows(harness, 'billing', "purchases WHERE state = 'paid'"),
    refills: await countRows(
      harness,
      'billing',
      "purchases WHERE state = 'paid' AND payment_method_id IS NOT NULL",
    ),
    receiverMessages: messagesByForm(harness),
    monitorMails: mailsByPerson(harness),
    lateRedis: harness.history.lateRedis.length,
    fencings: harness.fencings,
    lostByBroker: harness.lostByBroker,
    impossible: [...harness.impossible],
    outboxLag: {
      p50: percentile(outboxLagSeconds, 0.5),
      p99: percentile(outboxLagSeconds, 0.99),
      most: percentile(outboxLagSeconds, 1),
    },
    tasks: await taskFigures(harness),
    entries: await countRows(harness, 'credits-ledger', 'entries'),
    operations: await countRows(harness, 'transcript-fetcher', 'operations'),
    searches: await countRows(harness, 'search', 'searches'),
    listings: await countRows(harness, 'search', 'listings'),
    seals: seals.length,
    memoryMiB: Object.fromEntries([...memoryMiB].map(([name, most]) => [name, Math.round(most)])),
  };
};
