import type { ServiceName } from '@tds/contracts';

/** Of the service that all helpers are: none of the system's, so that nobody else has its streams and users. */
export const BENCH = 'bench' as ServiceName;
