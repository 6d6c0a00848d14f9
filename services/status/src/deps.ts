import type { Messaging } from '@tds/service-kit';
import type { RollingLatency } from './application/status.ts';
import type { Database } from './store/database.ts';
import type { Surface } from './surface.ts';

/** What handlers work with. */
export type Deps = {
  readonly db: Database;
  readonly messaging: Messaging<Surface>;
  readonly latency: RollingLatency;
  /** The database's clock. */
  readonly now: () => Promise<Date>;
};

/** What tests put in the place of the real thing. */
export type Overrides = Partial<Pick<Deps, 'now'>>;
