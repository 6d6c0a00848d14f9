import { createBackoff, pauseFor } from '../async/backoff.ts';
import { failureFields } from '../errors/failure-fields.ts';
import type { Relay } from '../events/relay.ts';
import type { StoreRuntime, Worker } from '../runtime/runtime.ts';
import type { ScheduleRuns } from '../schedules/schedules.ts';
import type { DueWork } from '../schedules/when-due.ts';
import { about } from '../tasks/sweeps.ts';
import type { Tasks } from '../tasks/tasks.ts';
import { createLook, dueInMs } from './look-around.ts';
import { createRest } from './rest.ts';

/** What other processes have left, and what nobody was woken for, waits at most this long. */
const LOOK_MS = 500;
const LOOKS_PER_PERIOD = 4;

type Looking = {
  readonly relay: Relay;
  readonly tasks: Tasks;
  readonly schedules: ScheduleRuns;
  readonly dueWork: DueWork;
};

/**
 * Looks into the service's rows for ever, and wakes whoever finds something to do there: soon after somebody has used them, when the
 * first of them is due, and seldom otherwise. Its end is that of the schedules.
 */
export const startLooking = (
  runtime: StoreRuntime,
  { relay, tasks, schedules, dueWork }: Looking,
): Worker => {
  const stopping = new AbortController();
  const backoff = createBackoff({ firstMs: 200, maxMs: 5_000 });
  const everyMs = Math.min(LOOK_MS, schedules.shortestPeriodMs / LOOKS_PER_PERIOD);
  const rest = createRest(runtime);
  const lookAround = createLook(dueWork.questions);
  /** Resolves to when the next look is due. */
  const look = async (): Promise<number> => {
    rest.begin();
    await schedules.register();
    const found = await lookAround(runtime.pool, { ...tasks.wanted(), schedules: schedules.names });
    if (found.hasUnpublished) relay.wake();
    tasks.found(found);
    dueWork.found(found);
    await schedules.begin(found.dueSchedules);
    return dueInMs(found);
  };
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        const nextInMs = await look();
        backoff.reset();
        await rest.pause(nextInMs - everyMs, stopping.signal);
        await pauseFor(about(everyMs), stopping.signal);
      } catch (error) {
        tasks.foundNothing();
        schedules.wasAway();
        runtime.log.warn('the service’s rows could not be looked at', failureFields(error));
        await backoff.pause(stopping.signal);
      }
    }
  };
  const looping = loop();
  return {
    stop: async () => {
      stopping.abort();
      rest.stop();
      await looping;
      await Promise.all([schedules.stop(), dueWork.stop()]);
    },
  };
};
