/** The eleven services. A service's name is its folder, its database and the middle of its subjects. */
export const serviceNames = [
  'gateway',
  'identity',
  'credits-ledger',
  'transcript-fetcher',
  'bulk-orchestrator',
  'archiver',
  'monitor-scheduler',
  'webhook-dispatcher',
  'billing',
  'search',
  'status',
] as const;

export type ServiceName = (typeof serviceNames)[number];
