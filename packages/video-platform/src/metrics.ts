import type { Metrics } from './budget.ts';
import type { VideoPlatformOptions } from './types.ts';

const endpoints = ['browse', 'search', 'feed'] as const;
/** Pages that could not be read at all count as one entry. */
const UNREADABLE: ReadonlySet<string> = new Set(['unknown_layout', 'no_token', 'no_list', 'no_results_list']);

/** Observers that count what the platform sent, what this version cannot read of it, and the sessions of rotating exits. */
export const measurePlatform = (
  metrics: Pick<Metrics, 'counter'>,
): Required<Pick<VideoPlatformOptions, 'onAttempt' | 'onSession'>> => {
  const entries = metrics.counter({
    name: 'tds_unreadable_entries_total',
    help: 'Entries of listings, searches and feeds that were left out because their layout is unknown',
    labels: ['endpoint'],
  });
  for (const endpoint of endpoints) entries.inc({ endpoint }, 0);
  const bytes = metrics.counter({
    name: 'tds_platform_bytes_total',
    help: 'Bytes of requests to the platform and of its answers, without TLS',
    labels: ['exit'],
  });
  const sessions = metrics.counter({
    name: 'tds_platform_sessions_total',
    help: 'Sessions of rotating exits that were opened, or ended for a cause; proven: the platform had answered',
    labels: ['exit', 'change', 'proven'],
  });
  return {
    onAttempt({ endpoint, exit, bytes: byteCount, omitted, outcome }) {
      if (byteCount > 0) bytes.inc({ exit }, byteCount);
      const unreadable = omitted + (UNREADABLE.has(outcome) ? 1 : 0);
      if (unreadable > 0 && endpoints.some((name) => name === endpoint)) entries.inc({ endpoint }, unreadable);
    },
    onSession: ({ exit, change, isProven }) => sessions.inc({ exit, change, proven: String(isProven) }),
  };
};
