import { type PlatformError, platformError } from '../errors/platform-error.ts';
import type { Call } from '../types.ts';

export const cancelled = (call: Call): PlatformError | null =>
  call.signal?.aborted
    ? platformError('upstream_error', { message: 'The request was cancelled.', cause: call.signal.reason })
    : null;

/** A time limit beside another signal. Unlike a signal's own timeout it ends with the work, as all but a few of thousands do. */
export type Deadline = { readonly signal: AbortSignal; isOver(): boolean; stop(): void };

export const startDeadline = (parent: AbortSignal | undefined, ms: number): Deadline => {
  const controller = new AbortController();
  let isOver = false;
  const give = () => controller.abort(parent?.reason);
  const timer = setTimeout(() => {
    isOver = true;
    controller.abort(new DOMException('The platform took too long.', 'TimeoutError'));
  }, ms);
  timer.unref();
  if (parent?.aborted) give();
  else parent?.addEventListener('abort', give, { once: true });
  return {
    signal: controller.signal,
    isOver: () => isOver,
    stop: () => {
      clearTimeout(timer);
      parent?.removeEventListener('abort', give);
    },
  };
};

/** Works under the signal of a whole call: the caller's own, and the call's deadline. */
export const withinCall = async <T>(
  call: Call,
  callMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const deadline = startDeadline(call.signal, callMs);
  try {
    return await work(deadline.signal);
  } finally {
    deadline.stop();
  }
};
