import type { Deps } from '../deps.ts';
import { IDLE_MS } from '../domain/cadence.ts';
import type { DueMonitor } from '../store/monitor-turns.ts';
import { beginJob } from './begin-job.ts';
import { tellNews } from './tell-news.ts';
import type { CallContext } from './turns.ts';

/**
 * One turn of a monitor: tells what it waits for, then what is new, then begins a job. Resolves to when to look again; whatever
 * happens to it meanwhile gives it another turn at once.
 */
export const serveMonitor = async (deps: Deps, due: DueMonitor, context: CallContext): Promise<number> => {
  const { reason, hasMore } = await tellNews(deps, due);
  if (hasMore) return 0;
  // To begin the job is how a monitor that lacks credits learns that it does no more.
  const mayFetch = reason === null || reason === 'insufficient_credits';
  return due.auto_fetch && mayFetch ? beginJob(deps, due, context) : IDLE_MS;
};
