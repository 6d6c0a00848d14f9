import type { Instruments, Log } from '@tds/base';
import type { Check, DatabaseWatch } from '@tds/base/internals';
import type { Surface } from '@tds/contracts';
import type { Pool } from 'pg';
import type { Bus } from '../broker/bus.ts';

/** Shared by all parts of one service's kit. */
export type Runtime = {
  readonly service: string;
  readonly surface: Surface;
  readonly bus: Bus;
  readonly log: Log;
  readonly metrics: Instruments;
  /** The checks of /ready, by name. */
  readonly checks: Map<string, Check>;
  /** Fires when work in hand has to end because the process does. */
  readonly ending: AbortSignal;
};

/** The parts that save and move messages need the service's database too. */
export type StoreRuntime = Runtime & {
  /** The kit's own few connections. */
  readonly pool: Pool;
  /** The service's own pool. */
  readonly servicePool: Pool;
  readonly database: Pick<DatabaseWatch, 'onSwap'>;
};

/** A part that takes work: it takes no more, then finishes the work in hand. */
export type Worker = { stop(): Promise<void> };
