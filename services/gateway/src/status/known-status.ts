import type { Impairment, ReplyOf, StatusHistory, status } from '@tds/contracts';

/** What cold work needs of others, as the public knows it. */
export const needed = ['accounts', 'credits', 'relay'] as const satisfies readonly Impairment[];
export type Needed = (typeof needed)[number];

export type Observed = ReplyOf<typeof status.getStatus>;

/** What this gateway knows of the system, and since when. */
export type KnownStatus = {
  /** Null where the status service does not answer. */
  readonly observed: Observed | null;
  /** Who does not answer this gateway. */
  readonly away: ReadonlySet<Needed>;
  /** As it was last told. */
  readonly history: StatusHistory | null;
  readonly checkedAt: Date;
};
