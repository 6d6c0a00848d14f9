import {
  archiver,
  bulkOrchestrator,
  creditsLedger,
  defineSurface,
  gateway,
  identity,
  search,
  status,
  transcriptFetcher,
} from '@tds/contracts';
import { routeCommands } from '@tds/http-api';

/** HTTP outside, commands inside: the gateway keeps the packages of customers, no other data, and answers nothing on the bus. */
export const surface = defineSurface(gateway, {
  calls: [
    ...routeCommands,
    identity.authenticateKey,
    identity.authenticateSession,
    identity.listSlotKeys,
    creditsLedger.recordUsage,
    transcriptFetcher.disownRequest,
    search.disownSearch,
    status.getStatus,
    status.getHistory,
    status.recordLatency,
  ],
  broadcasts: [
    identity.keyRevoked,
    identity.keyChanged,
    identity.accountStatusChanged,
    identity.accountTierChanged,
    bulkOrchestrator.jobProgressed,
  ],
  reads: [
    identity.principal,
    identity.principalsFresh,
    creditsLedger.balance,
    transcriptFetcher.renderedSelection,
    transcriptFetcher.renderedFile,
    transcriptFetcher.transcriptVideo,
  ],
  readsObjects: [transcriptFetcher.objects.rendered, archiver.objects.archives],
  redis: [
    'decr',
    'decrby',
    'eval',
    'evalsha',
    'exists',
    'expire',
    'get',
    'incr',
    'incrby',
    'lindex',
    'lrem',
    'ltrim',
    'pexpire',
    'rpush',
    'set',
    'time',
    'zadd',
    'zcard',
    'zrangebyscore',
    'zrem',
    'zremrangebyscore',
  ],
});

export type Surface = typeof surface;
