import { bulkOrchestrator } from '@tds/contracts';
import type { Messaging } from '@tds/service-kit';
import type { Surface } from '../surface.ts';

/** Tells whoever watches a job that there is something new to read. */
export type Progress = {
  tell(jobId: string, version: number): void;
  /** At once: whoever has waited for the end waits no longer. */
  tellEnd(jobId: string, version: number): void;
  stop(): void;
};

type Watched = { latest: number; told: number; timer: NodeJS.Timeout };

/** The first news of a job is told at once, what follows at most every so many milliseconds, and the last always. */
export const createProgress = (messaging: Pick<Messaging<Surface>, 'hint'>, everyMs: number): Progress => {
  const watched = new Map<string, Watched>();
  const send = (jobId: string, of: Watched): void => {
    of.told = of.latest;
    messaging.hint(bulkOrchestrator.jobProgressed, { jobId, version: of.latest, hasEnded: false });
  };
  const forget = (jobId: string): void => {
    clearInterval(watched.get(jobId)?.timer);
    watched.delete(jobId);
  };
  const look = (jobId: string, of: Watched): void => {
    if (of.latest > of.told) send(jobId, of);
    else forget(jobId);
  };
  return {
    tell: (jobId, version) => {
      const before = watched.get(jobId);
      if (before) {
        before.latest = Math.max(before.latest, version);
        return;
      }
      const of: Watched = { latest: version, told: 0, timer: setInterval(() => look(jobId, of), everyMs) };
      of.timer.unref();
      watched.set(jobId, of);
      send(jobId, of);
    },
    tellEnd: (jobId, version) => {
      forget(jobId);
      messaging.hint(bulkOrchestrator.jobProgressed, { jobId, version, hasEnded: true });
    },
    stop: () => {
      for (const { timer } of watched.values()) clearInterval(timer);
      watched.clear();
    },
  };
};
