import { bulkOrchestrator } from '@tds/contracts';
import type { Messaging } from '@tds/service-kit';
import type { Surface } from '../surface.ts';
import { createPulse } from './pulse.ts';

type Told = { readonly id: string; readonly version: number; readonly finishedAt: Date | null };

/** Tells whoever watches a job that there is something new to read. */
export type Progress = { tell(job: Told): void; stop(): void };

/** At most every so many milliseconds; the end at once: whoever has waited for it waits no longer. */
export const createProgress = (messaging: Pick<Messaging<Surface>, 'hint'>, everyMs: number): Progress => {
  const pulse = createPulse(everyMs);
  const hint = ({ id: jobId, version, finishedAt }: Told): void =>
    messaging.hint(bulkOrchestrator.jobProgressed, { jobId, version, hasEnded: finishedAt !== null });
  return {
    tell: (job) => {
      if (job.finishedAt === null) return pulse.beat(job.id, () => hint(job));
      pulse.forget(job.id);
      hint(job);
    },
    stop: pulse.stop,
  };
};
