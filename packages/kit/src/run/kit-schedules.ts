import type { ScheduleShape, Surface } from '@tds/contracts';
import {
  AUDIT,
  createOutboxAudit,
  createStreamSampler,
  findLostEvents,
  findOwnLostEvents,
  purgeOldRows,
  type StoreRuntime,
  type Worker,
} from '@tds/messaging/internals';
import {
  type ScheduleHandlers,
  type Schedules,
  startInstanceSchedules,
  type Tasks,
} from '@tds/queue/internals';

type Shapes = Readonly<Record<string, ScheduleShape>>;

const where = (schedules: Shapes, matches: (shape: ScheduleShape) => boolean): Shapes =>
  Object.fromEntries(Object.entries(schedules).filter(([, shape]) => matches(shape)));

/** Schedules that one instance at a time runs. */
export const schedulesOfOne = ({ schedules }: Surface): Shapes =>
  where(schedules, ({ onEveryInstance, whenDue }) => !onEveryInstance && !whenDue);

/** Schedules that each instance runs. */
export const schedulesOfEach = ({ schedules }: Surface): Shapes =>
  where(schedules, ({ onEveryInstance }) => onEveryInstance ?? false);

/** Schedules that any instance runs when rows are due. */
export const schedulesWhenDue = ({ schedules }: Surface): Shapes =>
  where(schedules, ({ whenDue }) => whenDue ?? false);

const PURGE_EVERY_SECONDS = 3_600;
const PURGE = 'kitPurgeOldRows';
const POLL = { everySeconds: 60, alsoOnConnect: true };
const FIND_LOST = 'kitFindLostEvents';

/** The kit's own schedules. A tool has none: it would take the service's turn, without the handlers of what the service has lost. */
export const kitSchedules = ({ subscriptions, contract: { events }, isTool = false }: Surface): Schedules =>
  isTool
    ? {}
    : {
        [PURGE]: { everySeconds: PURGE_EVERY_SECONDS },
        ...(subscriptions.length > 0 ? { [FIND_LOST]: POLL } : {}),
        ...(Object.keys(events).length > 0 ? { [AUDIT]: POLL } : {}),
      };

const STREAM = 'kit-watch-stream';
const WATCH_EVERY_SECONDS = 60;
/** Watches the stream of the service's events, if it has any, on each instance. */
export const watchStream = (runtime: StoreRuntime): Worker => {
  const isEmitter = Object.keys(runtime.surface.contract.events).length > 0;
  const schedules = isEmitter ? { [STREAM]: { everySeconds: WATCH_EVERY_SECONDS } } : {};
  return startInstanceSchedules(runtime, schedules, { [STREAM]: createStreamSampler(runtime) });
};

/** `subjects`: subjects of own events that the service wants to know of if it has lost them. */
export const kitScheduleHandlers = (
  runtime: StoreRuntime,
  tasks: Tasks,
  subjects: ReadonlySet<string>,
): ScheduleHandlers => {
  const auditOutbox = createOutboxAudit(runtime);
  return {
    [PURGE]: async ({ signal, record }) => {
      const keptMs = runtime.bus.streamLimits.maxAgeMs;
      record.add(await purgeOldRows(runtime.pool, { signal, keptMs }));
    },
    [AUDIT]: async ({ signal, record }) => {
      record.add({ again: await auditOutbox(signal) });
      const lost = await findOwnLostEvents(runtime, subjects, signal);
      record.add({ lost });
      if (lost > 0) tasks.wake();
    },
    [FIND_LOST]: async ({ signal, record }) => {
      const lost = await findLostEvents(runtime, signal);
      record.add({ lost });
      if (lost > 0) tasks.wake();
    },
  };
};
