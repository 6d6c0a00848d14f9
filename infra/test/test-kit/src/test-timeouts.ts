/**
 * Settings of a service under test: it waits for servers far longer than callers would be made to, since on a busy machine a
 * late server means nothing. Tests of the waits themselves say what they need.
 */
export const testTimeouts = { DATABASE_WAIT: '15s', REDIS_TIMEOUT: '10s', REDIS_WAIT: '5s' } as const;
