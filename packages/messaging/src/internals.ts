export { type Bus, connectBus, openBus } from './broker/bus.ts';
export {
  commandHeaders,
  currentMessageContext,
  deadlineOf,
  hasSignOfLife,
  hintHeaders,
  messageContextOf,
  readMessageContext,
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
export type { TaskHandler } from './context.ts';
export { createOutboxAudit } from './events/audit-outbox.ts';
export { type BroadcastHandlers, receiveBroadcasts } from './events/broadcasts.ts';
export { buryEvent } from './events/dead-letters.ts';
export { listen } from './events/listen.ts';
export { handleOnce, isNewest, type ListenerHandlers, versionIn } from './events/listener.ts';
export { findLostEvents } from './events/lost-events.ts';
export { AUDIT, findOwnLostEvents } from './events/own-lost-events.ts';
export { FIRST_UNPUBLISHED, startRelay } from './events/relay.ts';
export { ownTasks, replayEvent, replayTask } from './events/replay-event.ts';
export { createStreamSampler } from './events/stream.ts';
export { purgeOldRows } from './housekeeping.ts';
export { createMessaging, type Dispatchers } from './messaging.ts';
export { crashPoints } from './runtime/crash-points.ts';
export { observe } from './runtime/observe.ts';
export type { Runtime, StoreRuntime, Worker } from './runtime/runtime.ts';
export { measureQueues } from './sample-queues.ts';
