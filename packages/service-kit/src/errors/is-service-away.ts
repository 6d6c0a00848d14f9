import { ServiceError } from '@tds/contracts';

/** Whether a called service, or what it cannot do without, did not answer: later, the same call may succeed. */
export const isServiceAway = (thrown: unknown): thrown is ServiceError =>
  thrown instanceof ServiceError && thrown.code === 'service_unavailable';
