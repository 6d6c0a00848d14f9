import type { ScheduleShape, Surface } from '@tds/contracts';
import { auditOutbox } from '../events/audit-outbox.ts';
import { createHeldEventSearch } from '../events/held-events.ts';
import { findLostEvents } from '../events/lost-events.ts';
import { replayAfterUpgrade } from '../events/replay-after-upgrade.ts';
import { purgeOldRows } from '../messaging/housekeeping.ts';
import type { StoreRuntime } from '../runtime/runtime.ts';
import type { InstanceSchedules } from '../schedules/instance-schedules.ts';
import type { ScheduleHandlers } from '../schedules/observe-run.ts';
import type { Schedules } from '../schedules/schedules.ts';
import type { Tasks } from '../tasks/tasks.ts';

type Shapes = Readonly<Record<string, ScheduleShape>>;

const where = (schedules: Shapes, onEveryInstance: boolean): Shapes =>
  Object.fromEntries(
    Object.entries(schedules).filter(([, shape]) => (shape.onEveryInstance ?? false) === onEveryInstance),
  );

/** What one instance at a time does for all. */
export const schedulesOfOne = ({ schedules }: Surface): Shapes => where(schedules, false);

/** What each instance does for itself. */
export const schedulesOfEach = ({ schedules }: Surface): Shapes => where(schedules, true);

const PURGE_EVERY_SECONDS = 3_600;
const PURGE = 'kitPurgeOldRows';
const LOOK = { everySeconds: 60, alsoOnConnect: true };
const FIND_LOST = 'kitFindLostEvents';
const AUDIT = 'kitAuditOutbox';

/** What the kit itself does by the clock. */
export const kitSchedules = ({ subscriptions, contract: { events } }: Surface): Schedules => ({
  [PURGE]: { everySeconds: PURGE_EVERY_SECONDS },
  ...(subscriptions.length > 0 ? { [FIND_LOST]: LOOK } : {}),
  ...(Object.keys(events).length > 0 ? { [AUDIT]: LOOK } : {}),
});

/** How often each instance looks for held events that it can read. */
export const HELD_EVERY_SECONDS = 10;
const HELD = 'kitHandleHeldEvents';
/** Not before it has run for about so long: until then instances of the release before may take what is replayed. */
const REPLAY_EVERY_SECONDS = 600;
const REPLAY = 'kitReplayAfterUpgrade';

/** What each instance of the kit does for itself: of releases that run beside one another, each knows what it can read. */
export const kitInstanceSchedules = (
  { subscriptions }: Surface,
  heldEverySeconds: number,
): InstanceSchedules => ({
  [REPLAY]: { everySeconds: REPLAY_EVERY_SECONDS },
  ...(subscriptions.length > 0 ? { [HELD]: { everySeconds: heldEverySeconds } } : {}),
});

export const kitInstanceHandlers = (runtime: StoreRuntime, tasks: Tasks): ScheduleHandlers => {
  const findReadable = createHeldEventSearch(runtime);
  let isNew = true;
  return {
    [REPLAY]: async ({ signal, record }) => {
      const letters = isNew ? 0 : await replayAfterUpgrade(runtime.pool, signal);
      isNew = false;
      record.add({ letters });
      if (letters > 0) tasks.wakeAll();
    },
    [HELD]: async ({ signal, record }) => {
      const events = await findReadable(signal);
      record.add({ events });
      if (events > 0) tasks.wakeAll();
    },
  };
};

export const kitScheduleHandlers = (runtime: StoreRuntime, tasks: Tasks): ScheduleHandlers => ({
  [PURGE]: async ({ signal, record }) => {
    const keptMs = runtime.bus.streamLimits.maxAgeMs;
    record.add(await purgeOldRows(runtime.pool, { signal, keptMs }));
  },
  [AUDIT]: async ({ signal, record }) => record.add({ again: await auditOutbox(runtime, signal) }),
  [FIND_LOST]: async ({ signal, record }) => {
    const lost = await findLostEvents(runtime, signal);
    record.add({ lost });
    if (lost > 0) tasks.wakeAll();
  },
});
