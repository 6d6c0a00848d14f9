import { failureFields } from '@tds/base';
import { createSemaphore } from '@tds/base/internals';
import type { Runtime } from '@tds/messaging/internals';
import type { Leased } from './leases.ts';

type Running<Row> = { readonly row: Row; readonly controller: AbortController; leaseEndsAt: number };

type WorkerPoolOptions<Row> = {
  readonly name: string;
  readonly leaseMs: number;
  readonly concurrency: number;
  /** Prolongs leases; resolves to the ids that are still held. */
  readonly renew: (rows: readonly Row[]) => Promise<ReadonlySet<string>>;
  /** Works on a row to its end, and saves that; the signal fires when the lease is lost or the process ends. */
  readonly work: (row: Row, signal: AbortSignal) => Promise<void>;
  /** Its slot is free again. */
  readonly onEnd?: (row: Row) => void;
};

/** Prolongs all leases of a pool; the work whose lease is gone, or could not be prolonged in time, is aborted. */
const renewAll = async <Row extends Leased>(
  { log }: Pick<Runtime, 'log'>,
  { name, leaseMs, renew }: WorkerPoolOptions<Row>,
  running: ReadonlySet<Running<Row>>,
): Promise<void> => {
  const activeRuns = [...running].filter((run) => !run.controller.signal.aborted);
  if (activeRuns.length === 0) return;
  const startedAt = performance.now();
  const renewedIds = await renew(activeRuns.map(({ row }) => row)).catch((error) => {
    log.warn('leases could not be prolonged', { queue: name, ...failureFields(error) });
    return undefined;
  });
  for (const run of activeRuns) {
    if (renewedIds?.has(run.row.id)) run.leaseEndsAt = startedAt + leaseMs;
    else if (renewedIds || performance.now() > run.leaseEndsAt)
      run.controller.abort(new Error('the lease is lost'));
  }
};

/**
 * Works on the rows of one queue in slots, and keeps their leases alive while any is worked on: a timer of an idle service would only
 * wake it.
 */
export const createWorkerPool = <Row extends Leased>(
  runtime: Pick<Runtime, 'log' | 'ending'>,
  options: WorkerPoolOptions<Row>,
) => {
  const { name, leaseMs, work, onEnd } = options;
  const slots = createSemaphore(options.concurrency);
  const running = new Set<Running<Row>>();
  let changedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const stopRenewing = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const renewLeases = (): void => {
    if (running.size === 0) stopRenewing();
    else void renewAll(runtime, options, running);
  };
  runtime.ending.addEventListener('abort', () => {
    for (const { controller } of running) controller.abort(runtime.ending.reason);
  });
  const finish = async (run: Running<Row>): Promise<void> => {
    try {
      await work(run.row, run.controller.signal);
    } catch (error) {
      const message = 'the end of work could not be saved; its lease runs out';
      runtime.log.warn(message, { queue: name, ...failureFields(error) });
    }
    running.delete(run);
    changedAt = performance.now();
  };
  return {
    free: slots.free,
    /** 0 while a slot is free; otherwise the time since a row began or ended. */
    heldForMs: () => (slots.free() > 0 ? 0 : performance.now() - changedAt),
    whenIdle: slots.whenIdle,
    /** Works on a claimed row, also if no slot is free. */
    begin: (row: Row): void => {
      changedAt = performance.now();
      const run = { row, controller: new AbortController(), leaseEndsAt: changedAt + leaseMs };
      running.add(run);
      timer ??= setInterval(renewLeases, leaseMs / 3).unref();
      void slots.run(() => finish(run)).then(() => onEnd?.(row));
    },
    /** Ends the renewals; returns what is still held. */
    abandon: (): readonly Row[] => {
      stopRenewing();
      return Array.from(running, ({ row }) => row);
    },
  };
};

export type WorkerPool<Row extends Leased> = ReturnType<typeof createWorkerPool<Row>>;
