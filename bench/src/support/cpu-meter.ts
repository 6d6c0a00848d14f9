import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from '../benchmark.ts';
import type { BenchSystem } from './bench-system.ts';
import { cpuMicros, treeCpuMicros } from './procfs.ts';

/** What was done before is finished by then: caches are filled, garbage is collected. */
const SETTLED_AFTER_MS = 5_000;
const IDLE_MS = 10_000;

/** Microseconds of CPU, by process. */
export type Cpu = Readonly<Record<string, number>>;

/** What a system and its servers use. */
export type CpuMeter = {
  /** What some work takes beyond what all of them take in the same time when nobody asks for anything. */
  during<Result>(work: () => Promise<Result>): Promise<{ readonly result: Result; readonly cpu: Cpu }>;
};

/** To be made while nobody asks for anything: it begins with fifteen seconds of that. */
export const createCpuMeter = async (bench: Bench, system: BenchSystem): Promise<CpuMeter> => {
  const { postgres, nats, redis, redisCache } = await bench.servers();
  const services = [...system.gateways, ...system.behind];
  const now = (): Cpu => ({
    ...Object.fromEntries(services.map(({ service, pid }) => [service, cpuMicros([pid])])),
    Postgres: treeCpuMicros(postgres.pid),
    NATS: cpuMicros([nats.pid]),
    Redis: cpuMicros([redis.pid, redisCache.pid]),
  });
  const used = async <Result>(work: () => Promise<Result>) => {
    const before = now();
    const startedAt = performance.now();
    const result = await work();
    const tookMs = performance.now() - startedAt;
    const after = Object.entries(now());
    return {
      result,
      tookMs,
      cpu: after.map(([name, micros]) => [name, micros - (before[name] ?? 0)] as const),
    };
  };
  await delay(SETTLED_AFTER_MS);
  const idle = await used(() => delay(IDLE_MS));
  const idleRate = new Map(idle.cpu.map(([name, micros]) => [name, micros / idle.tookMs]));
  return {
    during: async (work) => {
      const { result, tookMs, cpu } = await used(work);
      const beyond = cpu.map(
        ([name, micros]) => [name, micros - (idleRate.get(name) ?? 0) * tookMs] as const,
      );
      return { result, cpu: Object.fromEntries(beyond.map(([name, micros]) => [name, Math.max(0, micros)])) };
    },
  };
};
