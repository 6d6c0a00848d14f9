export { hasBegunNothing } from './commands/call.ts';
export { defineService, onBroadcast, onCommand, onEvent, onSchedule, onTask } from './define-service.ts';
export { LAST_RESORT_MS, runService, startServices } from './run/run-service.ts';
export { type RunningService, type StartableService, startService } from './run/start-service.ts';
export type { Backlog, Call, Handlers, Kit, ServiceDefinition } from './service.ts';
