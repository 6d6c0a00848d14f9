import type { Account, ApiKey, UsageDays } from '@transcript-delivery/sdk';
import { isNewAccount, NEW_ACCOUNT_FETCHES } from './job-plan.ts';
import { currentKey, DASHBOARD } from './key-use.ts';

export type Limit = {
  readonly name: string;
  /** Whose it is; null for the account. */
  readonly key: string | null;
  /** Null if it is not counted. */
  readonly used: number | null;
  readonly most: number;
};

type Counts = Pick<UsageDays['rows'][number], 'cold_deliveries' | 'cache_hits' | 'search_pages'>;
type UsageRow = Counts & { readonly key_id: string | null };

const ofKeys: readonly (readonly [string, keyof Counts, keyof Account['limits']])[] = [
  ['New transcripts today', 'cold_deliveries', 'cold_fetches_per_day'],
  ['Cached reads today', 'cache_hits', 'cache_reads_per_day'],
  ['Search pages today', 'search_pages', 'search_pages_per_day'],
];

type Holders = {
  readonly keys: readonly Pick<ApiKey, 'id' | 'name' | 'status' | 'replaced_by'>[];
  readonly apps: readonly { readonly id: string; readonly name: string }[];
};

/** The daily limits of each key and app that works, and of the dashboard, with what today's rows say. */
const listKeyLimits = (
  limits: Account['limits'],
  rows: readonly UsageRow[],
  { keys, apps }: Holders,
): Limit[] => {
  const known = new Set([...keys, ...apps].map(({ id }) => id));
  const slotOf = (id: string) => (known.has(id) ? currentKey(id, keys) : DASHBOARD.id);
  const live = keys.filter(({ status, replaced_by }) => status !== 'revoked' && replaced_by === null);
  return [...live, ...apps, DASHBOARD].flatMap(({ id, name: key }) =>
    ofKeys.map(([name, count, limit]) => ({
      ...{ name, key, most: limits[limit] },
      used: rows.reduce(
        (sum, row) => sum + (row.key_id !== null && slotOf(row.key_id) === id ? row[count] : 0),
        0,
      ),
    })),
  );
};

type Used = {
  readonly rows: readonly UsageRow[] | null;
  readonly jobs: number | null;
  readonly monitors: number | null;
};

/** Every limit that people meet, with what is used of it. */
export const listLimits = (account: Account, used: Used, holders: Holders, now: number): Limit[] => {
  const { limits, keys } = account;
  const own = (name: string, count: number | null, most: number): Limit => ({
    name,
    key: null,
    used: count,
    most,
  });
  const isNew = isNewAccount(account.account, now);
  return [
    ...(isNew
      ? [
          own(
            'New transcripts today, all keys, for two days',
            account.usage_today.cold_deliveries,
            NEW_ACCOUNT_FETCHES,
          ),
        ]
      : []),
    ...(used.rows ? listKeyLimits(limits, used.rows, holders) : []),
    own('Keys', keys.live, limits.live_keys),
    own('Jobs that run or pause', used.jobs, limits.active_jobs),
    own('Monitors', used.monitors, limits.monitors),
    own('Videos of a job', null, limits.videos_per_job),
    own('Requests a minute, each key', null, limits.requests_per_minute),
    own('New transcripts at once, each key', null, limits.concurrent_cold_fetches),
    own('New listings a day, each key', null, limits.cold_enumerations_per_day),
    own('ZIPs begun a day', null, limits.archive_builds_per_day),
  ];
};

/** Whether more than half is used, so that it is soon met. */
export const isNear = ({ used, most }: Limit): boolean => used !== null && used * 2 > most;
