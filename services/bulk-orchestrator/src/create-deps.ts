import type { Kit } from '@tds/kit';
import { createChanges } from './application/apply-changes.ts';
import { measureJobs } from './application/measure-jobs.ts';
import { createProgress } from './application/progress.ts';
import type { Deps, Limits, Overrides } from './deps.ts';
import { firstUnheard, jobQueue } from './store/clocks.ts';
import { createDatabase } from './store/database.ts';
import type { Surface } from './surface.ts';

const defaultLimits: Limits = { repeatWaitMs: 25_000, unheardMs: 5_000, pulseMs: 250 };

/** The job of a young batch may not be saved yet: fetchers list batches older than ten minutes. */
const YOUNG_MS = 660_000;

/** Compares at once, and again when current batches are old enough. */
const newReconciliation = (): Deps['reconciliation'] => ({ nextAt: 0, intervalMs: YOUNG_MS });

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
