import { count, nextVersion, uncount } from './fetcher.ts';
import { COLD_CAP, type Key, type Line, type OperationRow, partOf } from './state.ts';
import type { World } from './world.ts';

export type RequestedRow = {
  readonly id: string;
  readonly position: number;
  readonly video: number;
  readonly price: 0 | 1;
};
export type Opening = {
  readonly line: string | null;
  readonly account: string;
  readonly key: Key;
  readonly rows: readonly RequestedRow[];
};
export type OpenedRow = {
  readonly id: string;
  readonly state: OperationRow['state'] | 'known' | 'refused';
  /** The round whose credits are not held yet. */
  readonly round: string | null;
  readonly part: number;
  readonly full: 'stopped' | 'opening' | 'day' | null;
};

const enterLine = ({ db }: World, id: string, account: string): Line => {
  const line: Line = db.fetcher.lines.get(id) ?? { id, account, state: 'open', opening: null };
  db.fetcher.lines.set(id, line);
  if (line.state === 'held') line.state = 'open';
  return line;
};

const known = (
  { db }: World,
  { line, account }: Opening,
  { id, video }: RequestedRow,
): OperationRow | undefined => {
  const { rows } = db.fetcher;
  const isJoined = (row: OperationRow) =>
    row.line === null &&
    row.account === account &&
    row.video === video &&
    ['opened', 'fetching'].includes(row.state);
  return rows.get(id) ?? (line === null ? [...rows.values()].find(isJoined) : undefined);
};

/** The requested rows, and those of the unfinished opening. */
const blocked = (world: World, opening: Opening, line: Line): OpenedRow[] => {
  const asked = new Set(opening.rows.map(({ id }) => id));
  const own = [...world.db.fetcher.rows.values()].filter(
    (row) => row.line === line.id && row.state === 'ready' && row.ref === line.opening && row.ref !== null,
  );
  const others = world.rules.finishesOpenings ? own.filter(({ id }) => !asked.has(id)) : [];
  return [...opening.rows, ...others].map(({ id, position }) => {
    const row = world.db.fetcher.rows.get(id);
    const round = row?.state === 'ready' && row.ref === line.opening ? row.ref : null;
    const full = line.state === 'stopped' ? 'stopped' : 'opening';
    return { id, state: row?.state ?? 'refused', round, part: position + 1, full };
  });
};

const insert = (
  world: World,
  opening: Opening,
  { id, position, video, price }: RequestedRow,
  ref: string | null,
): OperationRow => {
  const { line, account, key } = opening;
  const isCached = world.db.fetcher.cached.has(video);
  const rest = { fetch: null, charge: 0, isDisowned: false, changes: 0 } as const;
  const state = isCached ? 'delivered' : line === null ? 'opened' : 'ready';
  const row: OperationRow = { id, line, position, account, key: key.id, video, price, ref, state, ...rest };
  world.db.fetcher.rows.set(id, row);
  return row;
};

/** One statement: returns existing rows, ends cached ones, and opens the rest as far as the day has room. */
export const openRows = (world: World, opening: Opening): OpenedRow[] => {
  const { cached, rounds } = world.db.fetcher;
  const line = opening.line === null ? null : enterLine(world, opening.line, opening.account);
  if (line && (line.state === 'stopped' || line.opening !== null)) return blocked(world, opening, line);
  const isCold = (wished: RequestedRow) => !known(world, opening, wished) && !cached.has(wished.video);
  const paying = opening.rows.filter((wished) => wished.price === 1 && isCold(wished));
  const scope = world.limitOf(opening.key);
  const room = count(world, scope, paying.length, COLD_CAP);
  const round = world.id('round');
  if (room > 0) rounds.set(round, scope);
  if (line && room > 0) line.opening = round;
  const changes = line ? nextVersion(world, line.id) : 0;
  return opening.rows.map((wished): OpenedRow => {
    const { id, position } = wished;
    const there = known(world, opening, wished);
    const answer = { id, round: null, part: position + 1, full: null } as const;
    if (there) return { ...answer, id: there.id, state: there.state };
    const isCached = cached.has(wished.video);
    if (isCached && line === null) return { ...answer, state: 'known' };
    const isPaid = paying.includes(wished);
    if (isPaid && paying.indexOf(wished) >= room) return { ...answer, state: 'refused', full: 'day' };
    const row = insert(world, opening, wished, isPaid ? round : null);
    if (isCached) row.changes = changes;
    return { ...answer, state: row.state, round: row.ref };
  });
};

/** Keeps the rows of held parts of a round and deletes the others. Returns which of `asked` do not exist. */
export const holdRows = (
  world: World,
  { id, round, held }: { readonly id: string; readonly round: string; readonly held: readonly number[] },
  asked: readonly OpenedRow[],
): string[] => {
  const { lines, rows } = world.db.fetcher;
  const line = lines.get(id);
  if (line?.opening === round) {
    line.opening = null;
    const gone = [...rows.values()].filter(
      (row) => row.line === id && row.state === 'ready' && row.ref === round && !held.includes(partOf(row)),
    );
    for (const row of gone) rows.delete(row.id);
    uncount(world, round, gone.length);
    if (!world.rules.answersAlike) return gone.map((row) => row.id);
  }
  return world.rules.answersAlike ? asked.flatMap((row) => (rows.has(row.id) ? [] : row.id)) : [];
};
