import type { Bodies, Sql } from '@tds/base';
import type { Kit } from '@tds/kit';
import type { Objects } from '@tds/objects';
import type { compareWithLedger } from '@tds/reservations';
import type { RecentOutcomes, VideoPlatform } from '@tds/video-platform';
import type { ColdLimits } from './credits/domain/cold-caps.ts';
import type { LaterCaptions } from './fetches/later-captions.ts';
import type { Worker } from './fetches/worker.ts';
import type { Canary, CountChecks, Observer } from './health/observing.ts';
import type { QueryReader } from './library/domain/query-reader.ts';
import type { createSearches } from './library/search-library.ts';
import type { Stemmer } from './library/stemmer.ts';
import type { ReadWaiters } from './reads/read-waiters.ts';
import type { ConnectionPool, Database } from './store/database.ts';
import type { Surface } from './surface.ts';
import type { TrackFiles } from './tracks/track-files.ts';

export type Deps = Pick<Kit<Surface>, 'call' | 'messaging' | 'log'> & {
  readonly db: Database;
  readonly pool: ConnectionPool;
  readonly sql: Sql;
  readonly objects: Objects;
  readonly bodies: Bodies;
  readonly platform: VideoPlatform;
  readonly files: TrackFiles;
  readonly stemmer: Stemmer;
  readonly readQuery: QueryReader;
  /** Runs searches in libraries, one of an account at a time. */
  readonly searches: ReturnType<typeof createSearches>;
  readonly laterCaptions: LaterCaptions;
  readonly waiters: ReadWaiters;
  readonly worker: Worker;
  readonly now: () => Date;
  readonly limits: ColdLimits;
  readonly orphanedAfterMs: number;
  readonly observer: Observer;
  readonly canary: Canary;
  /** How the fetches of customers ended. */
  readonly outcomes: RecentOutcomes;
  readonly countChecks: CountChecks;
  /** Of all proxies together; no limit without proxies. */
  readonly proxyBytesPerDay: number;
  /** Compares this database with the ledger's. */
  readonly compare: ReturnType<typeof compareWithLedger>;
};

export type Overrides = Partial<Pick<Deps, 'now' | 'limits'>> & {
  readonly saveRetry?: { readonly retries: number; readonly firstMs: number };
};
