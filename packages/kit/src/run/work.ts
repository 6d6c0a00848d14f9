import { RequestError } from '@nats-io/nats-core';
import { endsWithin, expecting } from '@tds/base';
import { ProcessEnds } from '@tds/base/internals';
import { type Surface, wireNameOf } from '@tds/contracts';
import type { Dispatchers, ListenerHandlers, Runtime, StoreRuntime, Worker } from '@tds/messaging/internals';
import {
  type BroadcastHandlers,
  currentMessageContext,
  hintHeaders,
  isStored,
  listen,
  ownTasks,
  receiveBroadcasts,
  replayEvent,
  replayTask,
  startRelay,
} from '@tds/messaging/internals';
import {
  runWhenDue,
  type ScheduleHandlers,
  startInstanceSchedules,
  startPolling,
  startSchedules,
  startTasks,
  type TaskHandlers,
  type Tasks,
} from '@tds/queue/internals';
import { answerCommands, type CommandHandlers } from '../commands/answer.ts';
import {
  kitScheduleHandlers,
  kitSchedules,
  schedulesOfEach,
  schedulesOfOne,
  schedulesWhenDue,
  watchStream,
} from './kit-schedules.ts';
import type { Life } from './life.ts';

/** The handlers of a service once the compiler has seen that none is missing. */
export type AnyHandlers = {
  readonly commands: CommandHandlers;
  readonly tasks: TaskHandlers;
  readonly subscriptions: ListenerHandlers;
  readonly broadcasts: BroadcastHandlers;
  readonly schedules: ScheduleHandlers;
  readonly onOwnLostEvents?: ListenerHandlers;
};

/** Half of the time box to finish what is in hand, a third more after its signal has fired; then leases go back. */
const stopWorkers = async (workers: readonly Worker[], { ending, config }: Life): Promise<void> => {
  const stopWithinMs = config.STOP_WITHIN;
  const shutdown = Promise.all(workers.map((worker) => worker.stop()));
  if (await endsWithin(shutdown, stopWithinMs / 2)) return;
  ending.abort(new ProcessEnds());
  await endsWithin(shutdown, stopWithinMs / 3);
};

const needsDatabase = ({ surface }: Runtime): boolean =>
  [surface.contract.tasks, surface.subscriptions, schedulesOfOne(surface), schedulesWhenDue(surface)].some(
    (kind) => Object.keys(kind).length > 0,
  );

const byWireName = <T>(all: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(all).map(([name, value]) => [wireNameOf(name), value]));

/** Of the own events that the service has a handler for. */
const lostSubjects = ({ contract }: Surface, handlers: ListenerHandlers): ReadonlySet<string> =>
  new Set(Object.values(contract.events).flatMap(({ name, subject }) => (name in handlers ? [subject] : [])));

/** Starts the schedules: on one instance at a time, and if rows are due. */
const startRuns = (
  runtime: StoreRuntime,
  tasks: Tasks,
  handlers: AnyHandlers,
  { surface, dueQueries }: Life,
) => {
  const { onOwnLostEvents = {} } = handlers;
  const schedules = startSchedules(
    runtime,
    byWireName({ ...schedulesOfOne(surface), ...kitSchedules(surface) }),
    byWireName({
      ...handlers.schedules,
      ...kitScheduleHandlers(runtime, tasks, lostSubjects(surface, onOwnLostEvents)),
    }),
  );
  const whenDue = Object.entries(schedulesWhenDue(surface)).map(([each, { everySeconds }]) => {
    const [name, handler] = [wireNameOf(each), handlers.schedules[each]];
    const firstDue = dueQueries.get(name);
    if (firstDue === undefined || !handler) throw new Error(`no question says when ${name} is due`);
    return runWhenDue(runtime, { name, everySeconds, firstDue, handler });
  });
  return { schedules, whenDue };
};

/** Everything that lives on rows: relay, tasks, listeners, schedules, housekeeping. */
const startStoredWork = (runtime: StoreRuntime, handlers: AnyHandlers, life: Life): Worker[] => {
  const { surface, stops, dispatchers } = life;
  const { bus } = runtime;
  const { onOwnLostEvents = {} } = handlers;
  const relay = startRelay(runtime);
  stops.add('relay', relay.stop);
  const tasks = startTasks(runtime, ownTasks(surface), {
    ...handlers.tasks,
    [replayTask(surface.name).name]: replayEvent(runtime, { ...handlers, onOwnLostEvents }),
  });
  stops.add('leases', tasks.release);
  Object.assign(dispatchers, {
    wakeRelay: relay.wake,
    hint: (subject, body) => {
      if (bus.isConnected())
        bus.connection.publish(subject, body, { headers: hintHeaders(currentMessageContext()) });
    },
    wakeTasks: tasks.onEnqueued,
    wakeAll: () => {
      relay.wake();
      tasks.wake();
    },
  } satisfies Dispatchers);
  const { schedules, whenDue } = startRuns(runtime, tasks, handlers, life);
  const pollTargets = [relay, tasks, schedules, ...whenDue];
  return [
    tasks,
    watchStream(runtime),
    listen(runtime, handlers.subscriptions),
    startPolling(runtime, pollTargets, schedules.shortestPeriodMs),
  ];
};

/** Begins to answer, listen and work. */
export const startWork = async (
  runtime: Runtime | StoreRuntime,
  handlers: AnyHandlers,
  life: Life,
): Promise<void> => {
  const { surface, config, loop, stops } = life;
  const maxInFlight = config.MAX_COMMANDS_IN_FLIGHT;
  if (!('pool' in runtime) && needsDatabase(runtime)) {
    throw new Error(`${runtime.service} has tasks, subscriptions or schedules: it needs DATABASE_URL`);
  }
  const storedWorkers = 'pool' in runtime && isStored(surface) ? startStoredWork(runtime, handlers, life) : [];
  const workers = [
    ...storedWorkers,
    receiveBroadcasts(runtime, handlers.broadcasts),
    startInstanceSchedules(runtime, byWireName(schedulesOfEach(surface)), byWireName(handlers.schedules)),
  ];
  stops.add('workers', () => stopWorkers(workers, life));
  workers.push(await answerCommands(runtime, handlers.commands, { maxInFlight, loop }));
  // From now on messages arrive: the broker knows every subscription. If the connection breaks first, the next one takes them along.
  if (runtime.bus.isConnected())
    await runtime.bus.connection.flush().catch(expecting((error) => error instanceof RequestError));
};
