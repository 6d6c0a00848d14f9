import { type Principal, type ServiceError, serviceError } from '@tds/contracts';
import { WINDOW_MS } from '../admission/limits.ts';
import { BLOCK_LIFE_MS } from '../admission/permit-blocks.ts';

const MS = 1_000;
const LONGEST_WAIT_SECONDS = (WINDOW_MS + BLOCK_LIFE_MS) / MS;

/** Made once for each number of seconds: stacks would cost more than the refusal itself. */
const refusalsOf = (message?: string) => {
  const after = (retryAfterSeconds: number): ServiceError =>
    serviceError('rate_limit', { retryAfterSeconds, ...(message && { message }) });
  const made = Array.from({ length: LONGEST_WAIT_SECONDS + 1 }, (_, seconds) => after(seconds));
  return (waitMs: number): ServiceError => made[Math.ceil(waitMs / MS)] ?? after(LONGEST_WAIT_SECONDS);
};

const keyOverLimit = refusalsOf();
export const sessionOverLimit = refusalsOf(
  'Too many requests in a minute with this session. Wait before the next one.',
);

export const overLimit = ({ keyId }: Principal, waitMs: number): ServiceError =>
  keyId === null ? sessionOverLimit(waitMs) : keyOverLimit(waitMs);
