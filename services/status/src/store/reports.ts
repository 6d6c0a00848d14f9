import type { PayloadOf, transcriptFetcher } from '@tds/contracts';
import type { CanaryCheck, Report } from '../domain/observed-status.ts';
import type { Db } from './database.ts';

type Observed = PayloadOf<typeof transcriptFetcher.strategyObserved>;
type Checked = PayloadOf<typeof transcriptFetcher.canaryChecked>;

/** Keeps what an instance said last: what comes late or again changes nothing. */
export const saveReport = async (
  tx: Db,
  { instance, observedAt, strategies, capacity }: Observed,
): Promise<void> => {
  await tx.$executeRaw`
    INSERT INTO reports (instance, observed_at, strategies, capacity)
    VALUES (${instance}::uuid, ${observedAt}::timestamptz, ${JSON.stringify(strategies)}::jsonb, ${capacity})
    ON CONFLICT (instance) DO UPDATE
    SET observed_at = excluded.observed_at, strategies = excluded.strategies, capacity = excluded.capacity
    WHERE reports.observed_at < excluded.observed_at`;
};

export const saveCanary = async (tx: Db, { checkedAt, routes, translation }: Checked): Promise<void> => {
  await tx.$executeRaw`
    INSERT INTO canary (checked_at, routes, translation)
    VALUES (${checkedAt}::timestamptz, ${JSON.stringify(routes)}::jsonb, ${translation})
    ON CONFLICT (is_only) DO UPDATE
    SET checked_at = excluded.checked_at, routes = excluded.routes, translation = excluded.translation
    WHERE canary.checked_at < excluded.checked_at`;
};

// The columns hold what the contract's schemas let through.
export const readReports = async (db: Db): Promise<Report[]> =>
  (await db.report.findMany()) as unknown as Report[];

export const readCanary = async (db: Db): Promise<CanaryCheck | null> =>
  (await db.canary.findFirst()) as unknown as CanaryCheck | null;
