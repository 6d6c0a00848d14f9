import type { ShortageCause } from '@tds/contracts';

export type ItemState = 'held' | 'charged' | 'released';

export type FakeReservation = {
  readonly ref: string;
  /** Null for a ref that was released before its reserve. */
  readonly accountId: string | null;
  readonly unit: number;
  readonly reason: string | null;
  readonly jobId: string | null;
  /** The limit that it counts under. */
  readonly limit: string | null;
  readonly items: Map<number, ItemState>;
  readonly refunded: Set<number>;
  /** Free credits still held. */
  free: number;
  purchased: number;
  shortage: ShortageCause | null;
};

type NewReservation = {
  readonly ref: string;
  readonly accountId?: string;
  readonly unit?: number;
  readonly reason?: string;
  readonly jobId?: string | null | undefined;
  readonly keyId?: string | null;
  readonly limitId?: string | undefined;
};

/** Items that were released before stay so. */
export const newReservation = (fields: NewReservation, previous?: FakeReservation): FakeReservation => ({
  ref: fields.ref,
  accountId: fields.accountId ?? null,
  unit: fields.unit ?? 0,
  reason: fields.reason ?? null,
  jobId: fields.jobId ?? null,
  limit: fields.limitId ?? fields.keyId ?? null,
  items: new Map(previous?.items),
  refunded: new Set(),
  free: 0,
  purchased: 0,
  shortage: null,
});

export const ascending = (items: readonly number[]): number[] => items.toSorted((one, other) => one - other);

export const itemsIn = ({ items }: FakeReservation, state: ItemState): number[] =>
  ascending([...items].flatMap(([item, is]) => (is === state ? [item] : [])));
