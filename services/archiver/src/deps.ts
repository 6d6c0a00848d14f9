import type { Waiters } from '@tds/base';
import type { Kit } from '@tds/kit';
import type { Objects } from '@tds/objects';
import type { Database } from './store/database.ts';
import type { Surface } from './surface.ts';

export type Deps = Pick<Kit<Surface>, 'call' | 'messaging'> & {
  readonly db: Database;
  readonly objects: Objects;
  /** Limit of the bytes of one part. */
  readonly partBytes: number;
  /** Callers in this process that wait for an archive. */
  readonly waiters: Waiters;
  readonly now: () => Date;
};

export type Overrides = Partial<Pick<Deps, 'now' | 'objects' | 'partBytes'>>;
