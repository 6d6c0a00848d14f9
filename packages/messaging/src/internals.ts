export { type Bus, connectBus, openBus } from './broker/bus.ts';
export {
  commandHeaders,
  currentMessageContext,
  hasHeartbeat,
  heartbeat,
  hintHeaders,
  messageContextOf,
  readDeadline,
  readMessageContext,
} from './broker/message-headers.ts';
export {
  defaultStreamLimits,
  MAX_STREAMS,
  readStreamLimits,
  refuseOverbooking,
  streamVariables,
  toStreamLimits,
} from './broker/stream-limits.ts';
export {
  consumerNameOf,
  emittedReader,
  ensureStream,
  eventStreamName,
  isStored,
  listStreams,
  lostEventsReader,
  type StreamDefinition,
  StreamFailure,
  streamDeleted,
  workSubject,
} from './broker/streams.ts';
export { inboxOf, nkeyAuthenticator, OPERATOR, PROVISIONER, publicNkeyOf } from './broker/users.ts';
export type { TaskHandler } from './context.ts';
export { purgeOldRows } from './housekeeping.ts';
export { type BroadcastHandlers, receiveBroadcasts } from './inbox/broadcasts.ts';
export { buryEvent } from './inbox/dead-letters.ts';
export { listen } from './inbox/listen.ts';
export { handleOnce, isNewest, type ListenerHandlers, versionIn } from './inbox/listener.ts';
export { ownTasks, replayEvent, replayTask } from './inbox/replay-event.ts';
export { createMessaging, type Dispatchers } from './outbox/messaging.ts';
export { FIRST_UNPUBLISHED, startRelay } from './outbox/relay.ts';
export { createStreamSampler } from './outbox/stream-room.ts';
export { createOutboxAudit } from './recovery/audit-outbox.ts';
export { findLostEvents } from './recovery/lost-events.ts';
export { AUDIT, findOwnLostEvents } from './recovery/own-lost-events.ts';
export { crashPoints } from './runtime/crash-points.ts';
export { observe } from './runtime/observe.ts';
export type { Runtime, StoreRuntime, Worker } from './runtime/runtime.ts';
export { measureQueues } from './sample-queues.ts';
