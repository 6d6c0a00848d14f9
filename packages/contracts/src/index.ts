export * from './account-name.ts';
export * from './archiver/contract.ts';
export * from './billing/index.ts';
export * from './bulk-orchestrator/index.ts';
export * from './contract/define-contract.ts';
export * from './contract/messages.ts';
export * from './contract/surface.ts';
export * from './credits-ledger/index.ts';
export * from './deadlines.ts';
export { type DeliveredRow, deliveredRow, undeliveredRow } from './delivered-row.ts';
export * from './delivered-transcript.ts';
export * from './gateway/contract.ts';
export * from './idempotency-key.ts';
export * from './identity/index.ts';
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
export * from './job.ts';
export * from './job-statuses.ts';
export * from './language-preference.ts';
export * from './limits.ts';
export * from './listing-contents.ts';
export * from './mail.ts';
export * from './manifest.ts';
export * from './match.ts';
export * from './monitor.ts';
export * from './monitor-scheduler/index.ts';
export * from './passages.ts';
export * from './principal.ts';
export * from './receiver-ids.ts';
export * from './search/index.ts';
export * from './secrets.ts';
export * from './service-names.ts';
export * from './status/contract.ts';
export * from './support-email.ts';
export * from './transcript.ts';
export * from './transcript-fetcher/index.ts';
export * from './webhook-dispatcher/index.ts';
