import { bulkOrchestrator } from '@tds/contracts';
import type { Messaging } from '@tds/messaging';
import type { Surface } from '../surface.ts';

/** Never rejects. */
type Work = () => void | Promise<void>;

/** Throttles work per id. */
type Pulse = {
  /** Runs work at once, or after the interval and the end of the previous work; only the last one in between runs. Urgent work skips the interval. */
  beat(id: string, work: Work, isUrgent?: boolean): void;
  forget(id: string): void;
  stop(): void;
};

type PulseState = { next: Work | null; isBusy: boolean; isUrgent: boolean; readonly timer: NodeJS.Timeout };

/** Runs the first work of an id at once, later ones at most every `everyMs`, and the last always. */
export const createPulse = (everyMs: number): Pulse => {
  const beating = new Map<string, PulseState>();
  const forget = (id: string): void => {
    clearInterval(beating.get(id)?.timer);
    beating.delete(id);
  };
  const begin = (of: PulseState): void => {
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
  const enter = (id: string): PulseState => {
    const timer = setInterval(() => turn(id), everyMs);
    timer.unref();
    const of: PulseState = { next: null, isBusy: false, isUrgent: true, timer };
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

type ChangedJob = { readonly id: string; readonly version: number; readonly finishedAt: Date | null };

/** Hints to watchers of a job that its state changed. */
export type Progress = { hint(job: ChangedJob): void; stop(): void };

/** At most every `everyMs`; the end of a job at once. */
export const createProgress = (messaging: Pick<Messaging<Surface>, 'hint'>, everyMs: number): Progress => {
  const pulse = createPulse(everyMs);
  const send = ({ id: jobId, version, finishedAt }: ChangedJob): void =>
    messaging.hint(bulkOrchestrator.jobProgressed, { jobId, version, hasEnded: finishedAt !== null });
  return {
    hint: (job) => {
      if (job.finishedAt === null) return pulse.beat(job.id, () => send(job));
      pulse.forget(job.id);
      send(job);
    },
    stop: pulse.stop,
  };
};
