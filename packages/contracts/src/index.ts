export * from './archiver/contract.ts';
export * from './billing/contract.ts';
export * from './billing/purchase.ts';
export * from './billing/refill.ts';
export * from './bulk-orchestrator/contract.ts';
export * from './bulk-orchestrator/job.ts';
export * from './bulk-orchestrator/statuses.ts';
export * from './contract/define-contract.ts';
export * from './contract/messages.ts';
export * from './contract/surface.ts';
export * from './credits-ledger/balance.ts';
export * from './credits-ledger/contract.ts';
export {
  type FoundItems,
  MAX_REFS,
  type ShortageCause,
} from './credits-ledger/items-commands.ts';
export {
  type FoundBlock,
  type GrantedBlock,
  type GrantOutcome,
  MAX_BLOCKS,
} from './credits-ledger/purchase-commands.ts';
export * from './credits-ledger/request-commands.ts';
export * from './credits-ledger/usage-commands.ts';
export * from './deadlines.ts';
export * from './gateway/contract.ts';
export * from './idempotency-key.ts';
export * from './identity/account-commands.ts';
export * from './identity/connection-commands.ts';
export * from './identity/contract.ts';
export * from './identity/key-commands.ts';
export * from './identity/mail-commands.ts';
export * from './identity/notices.ts';
export * from './identity/people-commands.ts';
export * from './identity/principal.ts';
export * from './identity/sign-in-commands.ts';
export {
  CHANNEL_ID_LENGTH,
  channelId,
  derivedId,
  firstWithin,
  languageTag,
  listCursor,
  lowestIdAt,
  MAX_LANGUAGE_TAG_LENGTH,
  monitorId,
  namedObject,
  newId,
  timeOfId,
  uuid,
  videoId,
} from './ids.ts';
export * from './language-preference.ts';
export * from './limits.ts';
export * from './mail.ts';
export * from './manifest.ts';
export * from './monitor-scheduler/contract.ts';
export { readerFeed } from './monitor-scheduler/feed-commands.ts';
export * from './monitor-scheduler/monitor.ts';
export * from './passages.ts';
export * from './receiver-ids.ts';
export * from './search/contract.ts';
export * from './search/listing-commands.ts';
export * from './search/search-commands.ts';
export * from './secrets.ts';
export * from './service-names.ts';
export * from './status/contract.ts';
export * from './support-email.ts';
export * from './transcript.ts';
export * from './transcript-fetcher/batch-commands.ts';
export * from './transcript-fetcher/contract.ts';
export { type DeliveredRow, deliveredRow, undeliveredRow } from './transcript-fetcher/delivered-row.ts';
export * from './transcript-fetcher/delivered-transcript.ts';
export * from './transcript-fetcher/library-commands.ts';
export * from './transcript-fetcher/link-commands.ts';
export * from './transcript-fetcher/render-commands.ts';
export * from './transcript-fetcher/transcript-commands.ts';
export * from './transcript-fetcher/words-commands.ts';
export * from './webhook-dispatcher/contract.ts';
export * from './webhook-dispatcher/delivery-commands.ts';
export * from './webhook-dispatcher/document-commands.ts';
export * from './webhook-dispatcher/receiver-commands.ts';
export * from './webhook-dispatcher/statuses.ts';
export * from './webhook-dispatcher/webhook-commands.ts';
export * from './webhook-dispatcher/webhook-events.ts';
