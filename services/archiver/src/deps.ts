import { LARGEST_PART_BYTES } from '@tds/job-files';
import { type Kit, type Objects, Waiters } from '@tds/service-kit';
import { createDatabase, type Database } from './store/database.ts';
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

export const createDeps = (
  { call, messaging, objects, db: pool, onStop }: Kit<Surface>,
  _environment: NodeJS.ProcessEnv,
  overrides: Overrides = {},
): Deps => {
  const db = createDatabase(pool);
  onStop('prisma', () => db.$disconnect());
  const own = { partBytes: LARGEST_PART_BYTES, waiters: new Waiters(), now: () => new Date() };
  return { call, messaging, objects, db, ...own, ...overrides };
};
