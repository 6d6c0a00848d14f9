import { Waiters } from '@tds/base';
import { MAX_PART_BYTES } from '@tds/job-files';
import type { Kit } from '@tds/kit';
import type { Deps, Overrides } from './deps.ts';
import { createDatabase } from './store/database.ts';
import type { Surface } from './surface.ts';

export const createDeps = (
  { call, messaging, objects, db: pool, onStop }: Kit<Surface>,
  _environment: NodeJS.ProcessEnv,
  overrides: Overrides = {},
): Deps => {
  const db = createDatabase(pool);
  onStop('prisma', () => db.$disconnect());
  const defaults = { partBytes: MAX_PART_BYTES, waiters: new Waiters(), now: () => new Date() };
  return { call, messaging, objects, db, ...defaults, ...overrides };
};
