export type { Context, EnqueueOptions, ListenerContext, Messaging, Sender, TaskContext } from './context.ts';
export { HAS_ALL_EMITTED_EVENTS } from './recovery/own-lost-events.ts';
export { crashPoint } from './runtime/crash-points.ts';
