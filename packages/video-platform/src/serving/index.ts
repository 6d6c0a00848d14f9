export { attempt } from './attempt.ts';
export { callError, cancellationError, withinCall, withRetryAfter } from './call.ts';
export { conclude, findCertainError } from './conclude.ts';
export { createEngine, type Engine, openExits, toSource } from './engine.ts';
export { noEvidence, toError } from './evidence.ts';
export { askRoutes } from './inspect-video.ts';
