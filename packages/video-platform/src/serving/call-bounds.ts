import { type PlatformError, platformError } from '../errors/platform-error.ts';
import type { Call } from '../types.ts';

/** The signal of a whole call: the caller's own, and the call's deadline. */
export const callSignal = (call: Call, callMs: number): AbortSignal =>
  AbortSignal.any([...(call.signal === undefined ? [] : [call.signal]), AbortSignal.timeout(callMs)]);

export const cancelled = (call: Call): PlatformError | null =>
  call.signal?.aborted
    ? platformError('upstream_error', { message: 'The request was cancelled.', cause: call.signal.reason })
    : null;
