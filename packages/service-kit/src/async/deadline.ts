/** A time limit as a signal. Dispose of it when the work is done, or its timer lives on. */
export type Deadline = { readonly signal: AbortSignal; dispose(): void };

// Follows the signal wherever it is handed on; a moment of this process's own monotonic clock.
const endsAt = new WeakMap<AbortSignal, number>();

/** Milliseconds until the deadline that made this signal; Infinity for other signals. */
export const remainingMs = (signal: AbortSignal): number => {
  if (signal.aborted) return 0;
  const end = endsAt.get(signal);
  return end === undefined ? Number.POSITIVE_INFINITY : Math.max(0, end - performance.now());
};

/** Fires after `ms`, or when `parent` fires. */
export const createDeadline = (ms: number, parent?: AbortSignal): Deadline => {
  const controller = new AbortController();
  const abort = () => controller.abort(parent?.reason);
  const timer = setTimeout(
    () => controller.abort(new DOMException('the deadline has passed', 'TimeoutError')),
    ms,
  );
  timer.unref();
  const parentMs = parent === undefined ? Number.POSITIVE_INFINITY : remainingMs(parent);
  endsAt.set(controller.signal, performance.now() + Math.min(ms, parentMs));
  if (parent?.aborted) abort();
  else parent?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    dispose: () => {
      clearTimeout(timer);
      parent?.removeEventListener('abort', abort);
    },
  };
};
