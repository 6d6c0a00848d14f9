export * from './archiver/contract.ts';
export * from './billing/contract.ts';
export {
  isRecentPaymentSignature,
  LARGEST_PAYMENT_EVENT_BYTES,
  LONGEST_PAYMENT_SIGNATURE,
  PAYMENT_SIGNATURE_SECONDS,
} from './billing/event-commands.ts';
export * from './billing/purchase.ts';
export { MOST_PURCHASES } from './billing/purchase-commands.ts';
export { firstWithin, namedObject } from './bounded.ts';
export * from './bulk-orchestrator/contract.ts';
export * from './bulk-orchestrator/job.ts';
export * from './bulk-orchestrator/statuses.ts';
export * from './contract/define-contract.ts';
export * from './contract/hash-tag.ts';
export * from './contract/messages.ts';
export * from './contract/surface.ts';
export * from './credits-ledger/balance.ts';
export * from './credits-ledger/contract.ts';
export {
  type FoundParts,
  type Lacking,
  MOST_PARTS,
  MOST_REFS,
} from './credits-ledger/parts-commands.ts';
export {
  type FoundBlock,
  type GrantedBlock,
  type GrantOutcome,
  MOST_BLOCKS,
  MOST_GRANTS,
} from './credits-ledger/purchase-commands.ts';
export * from './credits-ledger/reconciling-commands.ts';
export * from './credits-ledger/usage-commands.ts';
export * from './deadlines.ts';
export type { ErrorCodeDefinition, RemedyPlace } from './errors/define-codes.ts';
export * from './errors/error-classes.ts';
export * from './errors/error-codes.ts';
export * from './errors/service-error.ts';
export * from './gateway/contract.ts';
export * from './idempotency-key.ts';
export * from './identity/contract.ts';
export * from './identity/key-commands.ts';
export * from './identity/key-ring-uses.ts';
export * from './identity/notice.ts';
export * from './identity/principal.ts';
export * from './identity/session-commands.ts';
export * from './ids.ts';
export * from './limits.ts';
export * from './manifest.ts';
export * from './monitor-scheduler/contract.ts';
export * from './monitor-scheduler/monitor.ts';
export { LONGEST_MONITOR_INPUT } from './monitor-scheduler/monitor-commands.ts';
export * from './platform-address.ts';
export * from './search/contract.ts';
export * from './search/listing-commands.ts';
export * from './search/search-commands.ts';
export * from './secrets.ts';
export * from './service-names.ts';
export * from './status/contract.ts';
export * from './status/status.ts';
export * from './support-email.ts';
export * from './time.ts';
export * from './transcript.ts';
export * from './transcript-fetcher/contract.ts';
export * from './transcript-fetcher/delivered-transcript.ts';
export * from './transcript-fetcher/line-commands.ts';
export { type ColdCapacity, coldCapacity } from './transcript-fetcher/observation-events.ts';
export * from './transcript-fetcher/render-commands.ts';
export * from './transcript-fetcher/transcript-commands.ts';
export * from './video-links.ts';
export * from './webhook-dispatcher/contract.ts';
export * from './webhook-dispatcher/delivery-commands.ts';
export * from './webhook-dispatcher/statuses.ts';
export * from './webhook-dispatcher/webhook-commands.ts';
export * from './webhook-dispatcher/webhook-events.ts';
