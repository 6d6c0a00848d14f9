import type { Bench, Benchmark, Outcome } from '../benchmark.ts';
import type { Reads } from '../helpers/feed-platform.ts';
import { type Helper, startHelper } from '../support/helper.ts';
import { fillMonitors, untilRead } from '../support/monitor-fill.ts';
import { cpuMicros } from '../support/procfs.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { median, percentile } from '../support/statistics.ts';

const SERVICE = 'monitor-scheduler';
const INSTANCES = 2;
const SOURCES = 3_000;
const MONITORS = 10_000;
/** A tenth of 15 minutes. */
const LATE_SECONDS = 90;
/** With five seconds a side they all become due in a minute: fifteen times as many at once as in their cadence. */
const WINDOWS = 12;
const MS = 1_000;

type Round = {
  /** Seconds from being due to being read, of each source. */
  readonly late: Float64Array;
  readonly mostReads: number;
  readonly cpuMicros: number;
};

type Parts = {
  readonly bench: Bench;
  readonly url: string;
  readonly platform: Helper;
  readonly services: readonly ServiceProcess[];
};

/** All sources become due within a short while, as after an outage. */
const measureRound = async ({ bench, url, platform, services }: Parts): Promise<Round> => {
  const pids = services.map(({ pid }) => pid);
  const withinSeconds = WINDOWS * bench.seconds;
  const before = cpuMicros(pids);
  const due = await fillMonitors({ url, sources: SOURCES, monitors: MONITORS, withinSeconds });
  await untilRead(url);
  const cpu = cpuMicros(pids) - before;
  const reads = await platform.ask<Reads>('take');
  const late = [...due].map(([source, at]) => ((reads.get(source)?.[0] ?? Number.NaN) - at) / MS);
  if (late.some(Number.isNaN)) throw new Error('a source was taken for read that was not');
  const mostReads = Math.max(...[...reads.values()].map(({ length }) => length));
  return { late: Float64Array.from(late), mostReads, cpuMicros: cpu / SOURCES };
};

const outcomeOf = (bench: Bench, rounds: readonly Round[]): Outcome => {
  const lateAt = (part: number) => rounds.map(({ late }) => percentile(late, part));
  const cpu = `${INSTANCES} processes ${median(rounds.map((round) => round.cpuMicros)).toFixed(0)}`;
  const of = { peer: null, goal: { most: LATE_SECONDS } };
  return {
    rows: [
      { path: 'source, from being due to being read, p50', unit: 's', ours: lateAt(0.5), ...of, cpu },
      { path: 'source, from being due to being read, the latest', unit: 's', ours: lateAt(1), ...of },
      {
        path: 'reads of a source in a cadence, the most',
        unit: 'reads',
        ours: rounds.map(({ mostReads }) => mostReads),
        peer: null,
        goal: { most: 1 },
      },
    ],
    notes: [
      `${MONITORS.toLocaleString('en')} monitors of as many accounts on ${SOURCES.toLocaleString('en')} channels, which all become due within ${WINDOWS * bench.seconds} s; ${INSTANCES} processes read them, each answer after 100 ms. In their cadence of 15 minutes ${(SOURCES / 900).toFixed(1)} are due in a second.`,
      'A source is due 15 to 16.5 minutes after it was read; from then on it may be late by a tenth of the 15 minutes. Each was read well, found nothing new, and is due in its next cadence.',
    ],
  };
};

const run = async (bench: Bench): Promise<Outcome> => {
  const servers = await bench.servers();
  const { url = '' } = servers.databases[SERVICE] ?? {};
  const { dir, profileDir } = bench;
  const platform = await startHelper('feed-platform');
  const services: ServiceProcess[] = [];
  try {
    const platformOrigin = await platform.ask<string>('origin');
    const given = { service: SERVICE, servers, dir, profileDir, port: 0, platformOrigin };
    for (let instance = 0; instance < INSTANCES; instance += 1)
      services.push(await startServiceProcess(given));
    const rounds: Round[] = [];
    while (rounds.length < bench.rounds) rounds.push(await measureRound({ bench, url, platform, services }));
    return outcomeOf(bench, rounds);
  } finally {
    for (const service of services) await service.stop();
    await platform.stop();
  }
};

export const monitors: Benchmark = {
  name: 'monitors',
  title: 'Monitors: sources that are due many times as often as in their cadence',
  run,
};
