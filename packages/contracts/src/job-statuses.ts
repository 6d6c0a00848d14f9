import { z } from 'zod';

export const jobStatus = z
  .enum(['creating', 'enumerating', 'pending', 'running', 'paused', 'completed', 'failed', 'cancelled'])
  .meta({ id: 'JobStatus' });
export type JobStatus = z.infer<typeof jobStatus>;

export const jobRowStatus = z
  .enum(['pending', 'processing', 'cached', 'fetched', 'error', 'cancelled'])
  .meta({ id: 'JobVideoStatus' });
export type JobRowStatus = z.infer<typeof jobRowStatus>;
