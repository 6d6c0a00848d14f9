import type { Messaging } from '@tds/messaging';
import type { RollingLatency } from './application/status.ts';
import type { Database } from './store/database.ts';
import type { Surface } from './surface.ts';

export type Deps = {
  readonly db: Database;
  readonly messaging: Messaging<Surface>;
  readonly latency: RollingLatency;
  /** The database's clock, which all instances share. */
  readonly now: () => Promise<Date>;
};

export type Overrides = Partial<Pick<Deps, 'now'>>;
