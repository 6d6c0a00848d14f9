import type { Kit } from '@tds/kit';
import type { Deps, Overrides } from './deps.ts';
import { createDatabase } from './store/database.ts';
import type { Surface } from './surface.ts';

export const createDeps = (
  kit: Kit<Surface>,
  _environment: NodeJS.ProcessEnv,
  overrides: Overrides = {},
): Deps => {
  const db = createDatabase(kit.db);
  kit.onStop('prisma', () => db.$disconnect());
  return { db, messaging: kit.messaging, now: () => new Date(), ...overrides };
};
