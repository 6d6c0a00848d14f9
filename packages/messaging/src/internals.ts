export { type Bus, connectBus, openBus } from './broker/bus.ts';
export {
  commandHeaders,
  currentMessageContext,
  deadlineOf,
  hasSignOfLife,
  hintHeaders,
  messageContextOf,
  signOfLife,
} from './broker/message-headers.ts';
export {
  defaultStreamLimits,
  readStreamLimits,
  streamLimitsOf,
  streamVariables,
} from './broker/stream-limits.ts';
export {
  consumerNameOf,
  emittedReader,
  ensureStream,
  eventStreamName,
  hintStreamName,
  isStored,
  lostEventsReader,
  type StreamDefinition,
  streamDeleted,
  streamsOf,
  workSubject,
} from './broker/streams.ts';
export { inboxOf, nkeyAuthenticator, OPERATOR, PROVISIONER, publicNkeyOf } from './broker/users.ts';
export { createOutboxAudit } from './events/audit-outbox.ts';
export { type BroadcastHandlers, receiveBroadcasts } from './events/broadcasts.ts';
export { buryEvent } from './events/dead-letters.ts';
export { listen } from './events/listen.ts';
export { handleOnce, isNewest, type ListenerHandlers, versionIn } from './events/listener.ts';
export { findLostEvents } from './events/lost-events.ts';
export { AUDIT, findOwnLostEvents } from './events/own-lost-events.ts';
export { createImmediatePublisher } from './events/publish.ts';
export { startRelay } from './events/relay.ts';
export { createStreamSampler } from './events/stream.ts';
export { purgeOldRows } from './housekeeping.ts';
export { createMessaging, type Dispatchers } from './messaging.ts';
export { startPolling } from './poll.ts';
export { crashPoints } from './runtime/crash-points.ts';
export { observe } from './runtime/observe.ts';
export type { Runtime, StoreRuntime, Worker } from './runtime/runtime.ts';
export { measureQueues } from './sample-queues.ts';
export {
  type DueQuestions,
  type InstanceSchedules,
  type ScheduleHandlers,
  startInstanceSchedules,
  startWhenDue,
} from './schedules/runs.ts';
export { claimSchedules, finishSchedule, registerSchedules } from './schedules/schedule-rows.ts';
export { type Schedules, startSchedules } from './schedules/schedules.ts';
export { claimTasks } from './tasks/claim-tasks.ts';
export { ownTasks, replayEvent, replayTask } from './tasks/replay-event.ts';
export { beginEffect, buryTask, completeTask, renewTasks } from './tasks/task-rows.ts';
export { startTasks, type TaskHandlers, type Tasks } from './tasks/tasks.ts';
