import type { Context } from '@tds/service-kit';

/** On whose behalf another service is asked, and for how long. */
export type CallContext = Pick<Context, 'requestId' | 'accountId' | 'signal'>;
