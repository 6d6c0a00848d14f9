/**
 * The releases that installations run. The images of compose and Kubernetes are made of them, and local servers are of the same
 * lines. All take security fixes as patches: name the newest one, and say in `comparisons.ts` that it was compared.
 */
export const releases = {
  node: '24.22.3',
  postgres: '18.6',
  nats: '2.15.2',
  redis: '7.4.11',
  prometheus: '3.13.3',
  alertmanager: '0.28.1',
  nodeExporter: '1.9.1',
  grafana: '12.4.11',
  otel: '0.131.0',
} as const;

/** Has the newest lines of what needs no library but libc: its programs run on older releases, too. */
export const NEWEST_DEBIAN = 'forky';
/** Has the oldest NATS that we support. */
export const OLDEST_DEBIAN = 'bookworm';
