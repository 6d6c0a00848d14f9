import type { Kit } from '@tds/kit';
import type { Database } from './store/database.ts';
import type { LookUps } from './store/videos.ts';
import type { Surface } from './surface.ts';
import type { Platform } from './upstream/platform.ts';

export type Deps = Pick<Kit<Surface>, 'call' | 'messaging' | 'log'> & {
  /** For claims of rows that are due. */
  readonly pool: Kit<Surface>['db'];
  readonly db: Database;
  readonly lookUp: LookUps;
  readonly platform: Platform;
  /** Concurrent checks of all instances together, and the most of this one. */
  readonly feeds: { readonly all: number; readonly concurrency: number };
};

export type Overrides = Partial<Pick<Deps, 'platform'>>;
