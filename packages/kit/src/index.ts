export { hasBegunNothing } from './commands/call.ts';
export { defineService, onBroadcast, onCommand, onEvent, onSchedule, onTask } from './define-service.ts';
export {
  LAST_RESORT_MS,
  type RunningService,
  runService,
  type StartableService,
  type StartOptions,
  startService,
} from './run/run-service.ts';
export { runIfNewest, runOnce } from './run-once.ts';
export type { Backlog, Call, CallContext, Handlers, Kit, ServiceDefinition } from './service.ts';
