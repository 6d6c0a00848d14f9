import { readMetrics, sumMetric } from '#support';
import { type Seal, takeSeal } from './checks/seals.ts';
import type { Harness } from './harness.ts';
import { keepDoing } from './load/keep-doing.ts';

/** What was measured while the run went on. */
export type Watched = {
  readonly seals: readonly Seal[];
  readonly outboxLagSeconds: readonly number[];
  /** Largest resident memory by process, in MiB. */
  readonly memoryMiB: ReadonlyMap<string, number>;
};

const EVERY_MS = 5_000;
const SEAL_EVERY = 3;
const MAX_SEALS = 40;
const BYTES_PER_MIB = 1024 * 1024;

/** Scrapes every process and seals the ledger now and then, until the run ends. */
export const watchRun = (harness: Harness): { end(): Promise<Watched> } => {
  const seals: Seal[] = [];
  const outboxLagSeconds: number[] = [];
  const memoryMiB = new Map<string, number>();
  let ended = false;
  const check = async (): Promise<void> => {
    for (const process of harness.system.processes) {
      const metrics = await readMetrics(process);
      const lag = sumMetric(metrics, 'tds_outbox_lag_seconds');
      const memory = (sumMetric(metrics, 'process_resident_memory_bytes') ?? 0) / BYTES_PER_MIB;
      if (lag !== undefined && process.service !== 'gateway') outboxLagSeconds.push(lag);
      memoryMiB.set(process.name, Math.max(memory, memoryMiB.get(process.name) ?? 0));
    }
  };
  const look = async (turn: number): Promise<void> => {
    await check();
    // A database that is restarting is sealed at the next turn.
    if (turn % SEAL_EVERY === 0 && seals.length < MAX_SEALS)
      await takeSeal(harness.evidence).then(
        (seal) => seals.push(seal),
        () => {},
      );
  };
  const running = keepDoing(look, EVERY_MS, () => ended);
  return {
    end: async () => {
      ended = true;
      await running;
      return { seals, outboxLagSeconds, memoryMiB };
    },
  };
};
