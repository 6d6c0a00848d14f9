import { type Bench, type Benchmark, median, percentile, repeat } from '../benchmark.ts';
import type { Reads } from '../helpers/feed-platform.ts';
import { ownerUrl } from '../support/databases.ts';
import { type Helper, startHelper } from '../support/helper.ts';
import { deleteMonitors, fillMonitors, untilRead } from '../support/monitor-fill.ts';
import { cpuMicros } from '../support/procfs.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

const SERVICE = 'monitor-scheduler';
const INSTANCES = 2;
const [SOURCES, MONITORS] = [1_500, 10_000];
/** A tenth of 15 minutes. */
const LATE_SECONDS = 90;
/** With three seconds a side all become due within 9 s, a hundred times as fast as in their cadence. */
const WINDOWS = 3;
const MS = 1_000;

type Round = {
  /** Seconds from due to read, of each source. */
  readonly late: Float64Array;
  readonly mostReads: number;
  readonly cpuMicros: number;
};

type Stage = {
  readonly bench: Bench;
  readonly platform: Helper;
  readonly services: readonly ServiceProcess[];
};

/** All sources become due within a short while, as after an outage. Those that another benchmark has left go first. */
const measureRound = async ({ bench, platform, services }: Stage): Promise<Round> => {
  const pids = services.map(({ pid }) => pid);
  const [url, withinSeconds] = [ownerUrl(bench.servers, SERVICE), WINDOWS * bench.seconds];
  await deleteMonitors(url);
  const before = cpuMicros(pids);
  const due = await fillMonitors({ url, sources: SOURCES, monitors: MONITORS, withinSeconds });
  await untilRead(url);
  const cpu = cpuMicros(pids) - before;
  await deleteMonitors(url);
  const reads = await platform.ask<Reads>('take');
  const late = [...due].map(([source, at]) => ((reads.get(source)?.[0] ?? Number.NaN) - at) / MS);
  if (late.some(Number.isNaN)) throw new Error('a source counts as read, but the platform was not asked');
  const mostReads = Math.max(...[...reads.values()].map(({ length }) => length));
  return { late: Float64Array.from(late), mostReads, cpuMicros: cpu / SOURCES };
};

export const benchmark: Benchmark = {
  title: 'Monitors: sources that are due many times as often as in their cadence',
  run: async (bench) => {
    await using parts = new AsyncDisposableStack();
    const platform = parts.use(await startHelper('feed-platform'));
    const platformOrigin = await platform.ask<string>('origin');
    const services: ServiceProcess[] = [];
    while (services.length < INSTANCES)
      services.push(parts.use(await startServiceProcess(bench, SERVICE, { platformOrigin })));
    const rounds = await repeat(bench.rounds, () => measureRound({ bench, platform, services }));
    const lateAt = (part: number) => rounds.map(({ late }) => percentile(late, part));
    const goal = { max: LATE_SECONDS };
    const cpu = `${INSTANCES} processes ${median(rounds.map((round) => round.cpuMicros)).toFixed(0)}`;
    return {
      rows: [
        { path: 'source, from being due to being read, p50', unit: 's', ours: lateAt(0.5), goal, cpu },
        { path: 'source, from being due to being read, the latest', unit: 's', ours: lateAt(1), goal },
        {
          ...{ path: 'reads of a source in a cadence, the most', unit: 'reads', goal: { max: 1 } },
          ours: rounds.map(({ mostReads }) => mostReads),
        },
      ],
      notes: [
        `${MONITORS.toLocaleString('en')} monitors of as many accounts on ${SOURCES.toLocaleString('en')} channels, which all become due within ${WINDOWS * bench.seconds} s; ${INSTANCES} processes read them, each answer after 100 ms. In their cadence of 15 minutes ${(SOURCES / 900).toFixed(1)} are due in a second.`,
        'A source is due 15 to 16.5 minutes after its last read; from then on it may be late by a tenth of the 15 minutes. Each read succeeded, found nothing new, and made the source due in its next cadence.',
      ],
    };
  },
};
