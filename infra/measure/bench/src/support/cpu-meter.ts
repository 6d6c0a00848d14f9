import { setTimeout as delay } from 'node:timers/promises';
import { type Bench, median, sum } from '../benchmark.ts';
import type { BenchSystem } from './bench-system.ts';
import { until } from './databases.ts';
import { cpuMicros, treeCpuMicros } from './procfs.ts';

/** By then caches are filled and garbage is collected. */
const SETTLED_AFTER_MS = 3_000;
const IDLE_MS = 5_000;
/** Services that have just started first read the events of earlier benchmarks, which takes more of a core. */
const MAX_IDLE = 0.4;
const IDLE = { everyMs: 0, withinMs: 120_000 };
const MICROS_PER_MS = 1_000;

/** Microseconds of CPU, by process. */
export type Cpu = Readonly<Record<string, number>>;

export const cpuSince = (before: Cpu, after: Cpu): Cpu =>
  Object.fromEntries(Object.entries(after).map(([name, micros]) => [name, micros - (before[name] ?? 0)]));

export type CpuMeter = {
  /** Measures the CPU of some work beyond the CPU that the idle system uses in the same time. */
  during<Result>(work: () => Promise<Result>): Promise<{ readonly result: Result; readonly cpu: Cpu }>;
};

/** Waits until the system is idle, and measures some seconds of it. */
export const createCpuMeter = async (bench: Bench, system: BenchSystem): Promise<CpuMeter> => {
  const { postgres, nats, redis, redisCache } = bench.servers;
  const services = [system.gateway, ...system.behind];
  const read = (): Cpu => ({
    ...Object.fromEntries(services.map(({ service, pid }) => [service, cpuMicros([pid])])),
    Postgres: treeCpuMicros(postgres.pid),
    NATS: cpuMicros([nats.pid]),
    Redis: cpuMicros([redis.pid, redisCache.pid]),
  });
  const measureCpu = async <Result>(work: () => Promise<Result>) => {
    const before = read();
    const startedAt = performance.now();
    const result = await work();
    return { result, tookMs: performance.now() - startedAt, cpu: cpuSince(before, read()) };
  };
  await until(async () => {
    const { cpu, tookMs } = await measureCpu(() => delay(SETTLED_AFTER_MS));
    const used = sum(Object.values(cpu)) / MICROS_PER_MS / tookMs;
    return used < MAX_IDLE ? null : `the system uses ${used.toFixed(1)} cores without a request`;
  }, IDLE);
  const idle = await measureCpu(() => delay(IDLE_MS));
  return {
    during: async (work) => {
      const { result, tookMs, cpu } = await measureCpu(work);
      const beyond = Object.entries(cpu).map(([name, micros]) => {
        const idleMicros = ((idle.cpu[name] ?? 0) / idle.tookMs) * tookMs;
        return [name, micros - idleMicros];
      });
      return { result, cpu: Object.fromEntries(beyond) };
    },
  };
};

/** The CPU of each of `count` operations, as a report shows it. A process that was idler than before shows 0. */
export const cpuText = (cpu: Cpu, count = 1): string =>
  Object.entries(cpu)
    .map(([name, micros]) => `${name} ${Math.max(0, micros / count).toFixed(0)}`)
    .join(' + ');

/** The median of each process. */
export const medianCpu = (all: readonly Cpu[]): Cpu =>
  Object.fromEntries(Object.keys(all[0] ?? {}).map((name) => [name, median(all.map((cpu) => cpu[name] ?? 0))]));
