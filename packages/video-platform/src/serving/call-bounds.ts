import { type PlatformError, platformError } from '../errors/platform-error.ts';
import type { Call } from '../types.ts';

/** The signal of a whole call: the caller's own, and the call's deadline. */
export const callSignal = (call: Call, callMs: number): AbortSignal =>
  AbortSignal.any([...(call.signal === undefined ? [] : [call.signal]), AbortSignal.timeout(callMs)]);

export const cancelled = (call: Call): PlatformError | null =>
  call.signal?.aborted
    ? platformError('upstream_error', { message: 'The request was cancelled.', cause: call.signal.reason })
    : null;

/** A time limit beside another signal. Unlike a signal's own timeout it ends with the work, as all but a few of thousands do. */
export type Deadline = { readonly signal: AbortSignal; isOver(): boolean; stop(): void };

export const startDeadline = (parent: AbortSignal, ms: number): Deadline => {
  const controller = new AbortController();
  let isOver = false;
  const give = () => controller.abort(parent.reason);
  const timer = setTimeout(() => {
    isOver = true;
    controller.abort(new DOMException('The attempt took too long.', 'TimeoutError'));
  }, ms);
  timer.unref();
  if (parent.aborted) give();
  else parent.addEventListener('abort', give, { once: true });
  return {
    signal: controller.signal,
    isOver: () => isOver,
    stop: () => {
      clearTimeout(timer);
      parent.removeEventListener('abort', give);
    },
  };
};
