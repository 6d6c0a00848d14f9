import type { Task } from '@tds/contracts';
import type { Pool } from 'pg';
import { sqlExecutor } from '../db/sql-executor.ts';
import { LeaseLost } from '../errors/lease-lost.ts';
import { NoAttemptLeft } from '../errors/no-attempt-left.ts';
import { crashPoint } from '../runtime/crash-points.ts';
import type { ClaimedTask } from './claim-tasks.ts';
import { beginEffect } from './task-rows.ts';

/** What one attempt does that others see. */
export type Effect = {
  begin(): Promise<void>;
  hasBegun(): boolean;
};

export const createEffect = (
  pool: Pool,
  { task, claimed }: { readonly task: Task; readonly claimed: ClaimedTask },
): Effect => {
  const attempts = task.backoffMs.length + 1;
  let hasBegun = false;
  return {
    hasBegun: () => hasBegun,
    begin: async () => {
      if (hasBegun) throw new Error(`${task.wireName} has begun its effect already in this attempt`);
      if (claimed.attempt > attempts) throw new NoAttemptLeft(attempts);
      // Before it is saved: nobody knows what a connection that broke has saved.
      hasBegun = true;
      if (!(await beginEffect(sqlExecutor(pool), claimed))) throw new LeaseLost(claimed.id);
      crashPoint('effect-begun');
    },
  };
};
