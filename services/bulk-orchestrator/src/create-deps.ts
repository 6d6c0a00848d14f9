import type { Kit } from '@tds/kit';
import { createChanges } from './application/apply-changes.ts';
import { measureJobs } from './application/measure-jobs.ts';
import { createProgress } from './application/progress.ts';
import type { Deps, Limits, Overrides } from './deps.ts';
import { newReconciliation } from './schedules.ts';
import { firstUnheard, jobQueue } from './store/clocks.ts';
import { createDatabase } from './store/database.ts';
import type { Surface } from './surface.ts';

const defaultLimits: Limits = { repeatWaitMs: 25_000, unheardMs: 5_000, pulseMs: 250 };

export const createDeps = (
  kit: Kit<Surface>,
  _environment: NodeJS.ProcessEnv,
  overrides: Overrides = {},
): Deps => {
  const { call, messaging, log, db: pool } = kit;
  const db = createDatabase(pool);
  kit.onStop('prisma', () => db.$disconnect());
  const limits = { ...defaultLimits, ...overrides.limits };
  const progress = createProgress(messaging, limits.pulseMs);
  kit.onStop('progress', async () => progress.stop());
  const changes = createChanges(() => deps, limits.pulseMs);
  kit.onStop('changes', async () => changes.stop());
  const reconciliation = newReconciliation();
  kit.onDatabaseSwapped('batches', () => void Object.assign(reconciliation, newReconciliation()));
  kit.onDue('sweepJobs', jobQueue.firstDue);
  kit.onDue('compareBatches', firstUnheard(limits.unheardMs));
  const countRows = measureJobs(kit);
  const deps: Deps = { call, messaging, log, db, pool, progress, changes, limits, countRows, reconciliation };
  return deps;
};
