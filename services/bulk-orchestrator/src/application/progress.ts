import { bulkOrchestrator } from '@tds/contracts';
import type { Messaging } from '@tds/messaging';
import type { Surface } from '../surface.ts';

/** Never rejects. */
type Work = () => void | Promise<void>;

type PulseState = { next: Work | null; isBusy: boolean; isUrgent: boolean; readonly timer: NodeJS.Timeout };

/** Runs the first work of an id at once, later ones at most every `everyMs`, and the last always. */
export const createPulse = (everyMs: number) => {
  const pulses = new Map<string, PulseState>();
  const forget = (id: string) => {
    clearInterval(pulses.get(id)?.timer);
    pulses.delete(id);
  };
  const run = (state: PulseState): void => {
    const work = state.next;
    state.next = null;
    state.isUrgent = false;
    const running = work?.();
    if (!running) return;
    state.isBusy = true;
    void running.finally(() => {
      state.isBusy = false;
      if (state.isUrgent) run(state);
    });
  };
  const tick = (id: string): void => {
    const state = pulses.get(id);
    if (!state || state.isBusy) return;
    if (state.next) run(state);
    else forget(id);
  };
  const start = (id: string): PulseState => {
    const timer = setInterval(() => tick(id), everyMs);
    timer.unref();
    const state: PulseState = { next: null, isBusy: false, isUrgent: true, timer };
    pulses.set(id, state);
    return state;
  };
  return {
    /** Runs work at once, or after the interval and the end of the previous work; only the last one in between runs. Urgent work skips the interval. */
    beat: (id: string, work: Work, isUrgent = false): void => {
      const state = pulses.get(id) ?? start(id);
      state.next = work;
      state.isUrgent ||= isUrgent;
      if (state.isUrgent && !state.isBusy) run(state);
    },
    forget,
    stop: () => {
      for (const id of [...pulses.keys()]) forget(id);
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
