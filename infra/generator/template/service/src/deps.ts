import type { Messaging } from '@tds/messaging';
import type { Database } from './store/database.ts';
import type { Surface } from './surface.ts';

export type Deps = {
  readonly db: Database;
  readonly messaging: Messaging<Surface>;
  readonly now: () => Date;
};

/** What tests replace. */
export type Overrides = Partial<Pick<Deps, 'now'>>;
