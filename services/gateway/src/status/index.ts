export { toStatusBody } from './status-body.ts';
export type { KnownStatus, StatusWatch } from './status-watch.ts';
