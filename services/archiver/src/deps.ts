import type { Kit, Objects, Waiters } from '@tds/service-kit';
import type { Database } from './store/database.ts';
import type { Surface } from './surface.ts';

type Lent = Pick<Kit<Surface>, 'call' | 'messaging'>;

/** What handlers work with. */
export type Deps = Lent & {
  readonly db: Database;
  readonly objects: Objects;
  /** No part of an archive reaches so many bytes. */
  readonly partBytes: number;
  /** Callers of this process that wait for archives to be built. */
  readonly waiters: Waiters;
  readonly now: () => Date;
};

/** What tests put in the place of the real thing. */
export type Overrides = Partial<Pick<Deps, 'now' | 'objects' | 'partBytes'>>;
