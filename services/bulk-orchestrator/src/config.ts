import { durationMs, loadConfig } from '@tds/service-kit';
import { z } from 'zod';

/** The service's own environment; the kit reads the rest. */
const environmentSchema = z.object({
  /** How old a held reservation has to be before one that no job knows is given back. */
  ORPHANED_AFTER: durationMs().default(600_000),
});

export const readConfig = (environment: NodeJS.ProcessEnv) =>
  loadConfig(environmentSchema, environment, { service: 'bulk-orchestrator' });

export type Config = ReturnType<typeof readConfig>;
