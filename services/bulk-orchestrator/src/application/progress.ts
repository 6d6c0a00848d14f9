import { bulkOrchestrator } from '@tds/contracts';
import type { Messaging } from '@tds/service-kit';
import type { Surface } from '../surface.ts';

/** Never rejects. */
type Work = () => void | Promise<void>;

/** Does something about one thing after the other, each at most every so many milliseconds. */
type Pulse = {
  /** At once, or when it is its turn again and what was begun before has ended; what comes in between is one. What is urgent waits for that end only. */
  beat(id: string, work: Work, isUrgent?: boolean): void;
  forget(id: string): void;
  stop(): void;
};

type Beating = { next: Work | null; isBusy: boolean; isUrgent: boolean; readonly timer: NodeJS.Timeout };

/** The first work of an id is done at once, what follows at most every so often, and the last always. */
export const createPulse = (everyMs: number): Pulse => {
  const beating = new Map<string, Beating>();
  const forget = (id: string): void => {
    clearInterval(beating.get(id)?.timer);
    beating.delete(id);
  };
  const begin = (of: Beating): void => {
    const work = of.next;
    of.next = null;
    of.isUrgent = false;
    const underWay = work?.();
    if (!underWay) return;
    of.isBusy = true;
    void underWay.finally(() => {
      of.isBusy = false;
      if (of.isUrgent) begin(of);
    });
  };
  const turn = (id: string): void => {
    const of = beating.get(id);
    if (!of || of.isBusy) return;
    if (of.next) begin(of);
    else forget(id);
  };
  const enter = (id: string): Beating => {
    const timer = setInterval(() => turn(id), everyMs);
    timer.unref();
    const of: Beating = { next: null, isBusy: false, isUrgent: true, timer };
    beating.set(id, of);
    return of;
  };
  return {
    beat: (id, work, isUrgent = false) => {
      const of = beating.get(id) ?? enter(id);
      of.next = work;
      of.isUrgent ||= isUrgent;
      if (of.isUrgent && !of.isBusy) begin(of);
    },
    forget,
    stop: () => {
      for (const id of [...beating.keys()]) forget(id);
    },
  };
};

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
