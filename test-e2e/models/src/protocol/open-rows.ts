import { count, nextVersion, uncount } from './fetcher.ts';
import { type Batch, COLD_CAP, type Key, type OperationRow, partOf } from './state.ts';
import type { World } from './world.ts';

export type RequestedRow = {
  readonly id: string;
  readonly position: number;
  readonly video: number;
  readonly price: 0 | 1;
};
export type Opening = {
  readonly batch: string | null;
  readonly account: string;
  readonly key: Key;
  readonly rows: readonly RequestedRow[];
};
export type OpenedRow = {
  readonly id: string;
  readonly state: OperationRow['state'] | 'known' | 'refused';
  /** The reservation whose credits are not held yet. */
  readonly reservation: string | null;
  readonly item: number;
  readonly full: 'stopped' | 'opening' | 'day' | null;
};

const enterBatch = ({ db }: World, id: string, account: string): Batch => {
  const batch: Batch = db.fetcher.batches.get(id) ?? { id, account, state: 'open', opening: null };
  db.fetcher.batches.set(id, batch);
  if (batch.state === 'held') batch.state = 'open';
  return batch;
};

const known = (
  { db }: World,
  { batch, account }: Opening,
  { id, video }: RequestedRow,
): OperationRow | undefined => {
  const { rows } = db.fetcher;
  const isJoined = (row: OperationRow) =>
    row.batch === null &&
    row.account === account &&
    row.video === video &&
    ['opened', 'fetching'].includes(row.state);
  return rows.get(id) ?? (batch === null ? [...rows.values()].find(isJoined) : undefined);
};

/** The requested rows, and those of the unfinished opening. */
const blocked = (world: World, opening: Opening, batch: Batch): OpenedRow[] => {
  const asked = new Set(opening.rows.map(({ id }) => id));
  const own = [...world.db.fetcher.rows.values()].filter(
    (row) => row.batch === batch.id && row.state === 'ready' && row.ref === batch.opening && row.ref !== null,
  );
  const others = world.rules.finishesOpenings ? own.filter(({ id }) => !asked.has(id)) : [];
  return [...opening.rows, ...others].map(({ id, position }) => {
    const row = world.db.fetcher.rows.get(id);
    const reservation = row?.state === 'ready' && row.ref === batch.opening ? row.ref : null;
    const full = batch.state === 'stopped' ? 'stopped' : 'opening';
    return { id, state: row?.state ?? 'refused', reservation, item: position + 1, full };
  });
};

const insert = (
  world: World,
  opening: Opening,
  { id, position, video, price }: RequestedRow,
  ref: string | null,
): OperationRow => {
  const { batch, account, key } = opening;
  const isCached = world.db.fetcher.cached.has(video);
  const rest = { fetch: null, charge: 0, isWaived: false, changes: 0 } as const;
  const state = isCached ? 'delivered' : batch === null ? 'opened' : 'ready';
  const row: OperationRow = { id, batch, position, account, key: key.id, video, price, ref, state, ...rest };
  world.db.fetcher.rows.set(id, row);
  return row;
};

/** One statement: returns existing rows, ends cached ones, and opens the rest as far as the day has room. */
export const openRows = (world: World, opening: Opening): OpenedRow[] => {
  const { cached, reservations } = world.db.fetcher;
  const batch = opening.batch === null ? null : enterBatch(world, opening.batch, opening.account);
  if (batch && (batch.state === 'stopped' || batch.opening !== null)) return blocked(world, opening, batch);
  const isCold = (wished: RequestedRow) => !known(world, opening, wished) && !cached.has(wished.video);
  const paying = opening.rows.filter((wished) => wished.price === 1 && isCold(wished));
  const scope = world.limitOf(opening.key);
  const room = count(world, scope, paying.length, COLD_CAP);
  const reservation = world.id('reservation');
  if (room > 0) reservations.set(reservation, scope);
  if (batch && room > 0) batch.opening = reservation;
  const changes = batch ? nextVersion(world, batch.id) : 0;
  return opening.rows.map((wished): OpenedRow => {
    const { id, position } = wished;
    const there = known(world, opening, wished);
    const answer = { id, reservation: null, item: position + 1, full: null } as const;
    if (there) return { ...answer, id: there.id, state: there.state };
    const isCached = cached.has(wished.video);
    if (isCached && batch === null) return { ...answer, state: 'known' };
    const isPaid = paying.includes(wished);
    if (isPaid && paying.indexOf(wished) >= room) return { ...answer, state: 'refused', full: 'day' };
    const row = insert(world, opening, wished, isPaid ? reservation : null);
    if (isCached) row.changes = changes;
    return { ...answer, state: row.state, reservation: row.ref };
  });
};

/** Keeps the rows of held items of a reservation and deletes the others. Returns which of `asked` do not exist. */
export const holdRows = (
  world: World,
  {
    id,
    reservation,
    held,
  }: { readonly id: string; readonly reservation: string; readonly held: readonly number[] },
  asked: readonly OpenedRow[],
): string[] => {
  const { batches, rows } = world.db.fetcher;
  const batch = batches.get(id);
  if (batch?.opening === reservation) {
    batch.opening = null;
    const gone = [...rows.values()].filter(
      (row) =>
        row.batch === id && row.state === 'ready' && row.ref === reservation && !held.includes(partOf(row)),
    );
    for (const row of gone) rows.delete(row.id);
    uncount(world, reservation, gone.length);
    if (!world.rules.answersAlike) return gone.map((row) => row.id);
  }
  return world.rules.answersAlike ? asked.flatMap((row) => (rows.has(row.id) ? [] : row.id)) : [];
};
