import type pg from 'pg';
import { createPool } from '../db/pool.ts';
import { createLog } from '../log/log.ts';

/** With it a test looks at a database beside the service: on a busy machine a connection takes what it takes. */
export const createTestPool = (url: string, maxConnections = 2): pg.Pool => {
  const log = createLog({ service: 'test', level: 'silent' });
  return createPool({ url, applicationName: 'test', maxConnections, waitMs: 60_000, log });
};
