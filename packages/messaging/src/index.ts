export type { Context, EnqueueOptions, ListenerContext, Messaging, Sender, TaskContext } from './context.ts';
export { KNOWS_WHAT_IT_TOLD } from './events/own-lost-events.ts';
export { crashPoint } from './runtime/crash-points.ts';
