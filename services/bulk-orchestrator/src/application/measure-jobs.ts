import type { Kit } from '@tds/kit';
import type { RowChange } from '../domain/outcomes.ts';
import { jobQueue } from '../store/clocks.ts';
import type { Surface } from '../surface.ts';

/** `failed`: another attempt might succeed. `refused`: a fact about the video. */
const outcomeOf = ({ status, delivered, error }: RowChange): 'delivered' | 'refused' | 'failed' | null => {
  if (delivered !== null) return 'delivered';
  if (status !== 'error' || error === null) return null;
  return error.retryable ? 'failed' : 'refused';
};

export type CountRows = (changes: readonly RowChange[]) => void;

/** Metrics of jobs. Returns a counter of ended rows. */
export const measureJobs = ({ metrics, onBacklog, db }: Kit<Surface>): CountRows => {
  const rows = metrics.counter({
    name: 'tds_job_rows_total',
    help: 'Ended rows of jobs: delivered, refused by a fact about the video, or failed',
    labels: ['outcome'],
  });
  for (const outcome of ['delivered', 'refused', 'failed']) rows.inc({ outcome }, 0);
  onBacklog('jobs', () => jobQueue.overdue(db));
  return (changes) => {
    for (const outcome of changes.map(outcomeOf)) if (outcome !== null) rows.inc({ outcome });
  };
};
