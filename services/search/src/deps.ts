import type { Tier } from '@tds/contracts';
import type { Kit } from '@tds/kit';
import type { compareWithLedger } from '@tds/reservations';
import type { DataApi, Discovery } from '@tds/video-platform';
import type { Database } from './store/database.ts';
import type { Surface } from './surface.ts';
import type { Units } from './upstream/data-api-units.ts';

export type Deps = Pick<Kit<Surface>, 'call' | 'messaging' | 'log'> & {
  readonly db: Database;
  readonly discovery: Discovery;
  /** Null without a configured key. */
  readonly dataApi: DataApi | null;
  readonly limits: Limits;
  readonly now: () => Date;
  readonly listingFreshMs: number;
  readonly orphanedAfterMs: number;
  /** Remembers what it has compared with the ledger. */
  readonly compare: ReturnType<typeof compareWithLedger>;
};

/** Limits of this service; tests shorten them. */
export type Limits = {
  /** A search counts as abandoned after this time. */
  readonly searchAbandonedMs: number;
  /** The platform's time limit for one page of a search. */
  readonly searchMs: number;
  /** The platform's time limit for the videos of a text. */
  readonly lookUpMs: number;
  readonly lookUpsPerDay: (tier: Tier) => number;
  /** Of all free accounts, where each is a request to the platform. */
  readonly freeLookUpsPerDay: number;
  readonly listsPerDay: number;
} & Units;

export type Overrides = Partial<Pick<Deps, 'now'>> & { readonly limits?: Partial<Limits> };
