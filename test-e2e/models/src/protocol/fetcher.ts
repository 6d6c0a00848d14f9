import { type Batch, type Due, hasEnded, type OperationRow, partOf } from './state.ts';
import type { World } from './world.ts';

export const nextVersion = ({ db, clock }: World, batch: string): number => {
  const before = db.fetcher.versions.get(batch) ?? 0;
  const version = Math.max(before + 1, clock);
  db.fetcher.versions.set(batch, version);
  return version;
};

/** Counts as many as a scope of the day has room for. */
export const count = ({ db }: World, scope: string, wanted: number, most: number): number => {
  const before = db.fetcher.counts.get(scope) ?? 0;
  const counted = Math.max(0, Math.min(wanted, most - before));
  db.fetcher.counts.set(scope, before + counted);
  return counted;
};

export const uncount = ({ db }: World, reservation: string, rows: number): void => {
  const scope = db.fetcher.reservations.get(reservation);
  if (scope !== undefined)
    db.fetcher.counts.set(scope, Math.max(0, (db.fetcher.counts.get(scope) ?? 0) - rows));
};

export const oweLedger = (world: World, rows: readonly OperationRow[]): Due[] => {
  const ofRef = Map.groupBy(
    rows.filter(({ ref }) => ref !== null),
    ({ ref }) => String(ref),
  );
  return [...ofRef].map(([ref, own]) => {
    const due: Due = {
      id: world.id('due'),
      ref,
      row: own[0] as OperationRow,
      charge: own.filter(({ charge }) => charge === 1).map(partOf),
      release: own.filter(({ charge }) => charge === 0).map(partOf),
    };
    world.db.fetcher.settlements.set(due.id, due);
    return due;
  });
};

const rowsOf = ({ db }: World, batch: string, state: OperationRow['state']): OperationRow[] =>
  [...db.fetcher.rows.values()].filter((row) => row.batch === batch && row.state === state);

/** Ends unbegun rows of a batch; `stopped` is final, even before its first row. */
export const pauseBatch = (world: World, id: string, account: string, as: 'held' | 'stopped'): Due[] => {
  const { batches } = world.db.fetcher;
  const known = batches.get(id);
  if (as === 'stopped') world.stopped.add(id);
  if (!known && !world.rules.stopsBeforeItsRows) return [];
  const batch: Batch = known ?? { id, account, state: as, opening: null };
  batches.set(id, batch);
  batch.state = batch.state === 'stopped' ? 'stopped' : as;
  batch.opening = null;
  const begun = rowsOf(world, id, 'fetching');
  if (as === 'stopped') world.coverage.begunBeforeTheirStop += begun.length;
  const ready = rowsOf(world, id, 'ready');
  for (const { ref } of ready) if (ref !== null) uncount(world, ref, 1);
  const ended = world.rules.goesOnWhenBegun ? ready : [...ready, ...begun];
  const changes = nextVersion(world, id);
  for (const row of ended) Object.assign(row, { state: 'cancelled', changes });
  return oweLedger(world, ended);
};

/** Begins a row: it waits for the open fetch of its track, or for a new one. */
export const beginRow = (world: World, row: OperationRow): void => {
  const { fetches, batches } = world.db.fetcher;
  if (row.state !== 'opened' && row.state !== 'ready') return;
  const batch = row.batch === null ? null : batches.get(row.batch);
  if (batch && batch.opening !== null && batch.opening === row.ref && world.rules.beginsWhenHeld) return;
  if (row.batch !== null && world.stopped.has(row.batch) && !world.restored.fetcher)
    throw new Error(`${row.id} begins after ${row.batch} was stopped`);
  const open = [...fetches].find(([, video]) => video === row.video)?.[0];
  const fetch = open ?? world.id('fetch');
  fetches.set(fetch, row.video);
  Object.assign(row, {
    state: 'fetching',
    fetch,
    changes: row.batch === null ? 0 : nextVersion(world, row.batch),
  });
  const day = row.ref === null ? undefined : world.db.fetcher.reservations.get(row.ref)?.split(' on ')[1];
  if (day === undefined) return;
  const begun = `${row.account} on ${day}`;
  world.begun.set(begun, (world.begun.get(begun) ?? 0) + 1);
};

/** The price rule: which waiting rows pay. */
const payersOf = (world: World, waiting: readonly OperationRow[]): OperationRow[] => {
  const paid = new Set(
    [...world.db.fetcher.rows.values()].flatMap((row) =>
      row.charge === 1 && row.video === waiting[0]?.video ? [row.account] : [],
    ),
  );
  const owing = waiting.filter((row) => row.price === 1 && !row.isWaived && !paid.has(row.account));
  if (!world.rules.onePays) return owing;
  return [...Map.groupBy(owing, ({ account }) => account).values()].flatMap(([first]) => first ?? []);
};

const noteDelivery = (world: World, rows: readonly OperationRow[]): void => {
  const cold = rows.filter(({ ref }) => ref !== null);
  for (const [account, own] of Map.groupBy(cold, (row) => row.account)) {
    const items = own.map((row) => `${row.ref}#${partOf(row)}`);
    world.deliveries.push({ account, rows: own.map(({ id }) => id), items });
    world.coverage.deliveries += 1;
    if (own.length > 1) world.coverage.shared += 1;
  }
};

/** Ends a fetch and all rows that wait for it. */
export const endFetch = (world: World, id: string, isDelivered: boolean): Due[] => {
  const { fetches, rows, cached } = world.db.fetcher;
  const video = fetches.get(id);
  if (video === undefined) return [];
  fetches.delete(id);
  const all = [...rows.values()].filter((row) => row.fetch === id);
  const waiting = all.filter((row) => row.state === 'fetching');
  const isNew = isDelivered && !cached.has(video);
  if (isNew) noteDelivery(world, all);
  const payers = new Set(isNew ? payersOf(world, waiting) : []);
  if (isDelivered) cached.add(video);
  const versions = new Map(
    [...new Set(waiting.flatMap(({ batch }) => batch ?? []))].map((batch) => [
      batch,
      nextVersion(world, batch),
    ]),
  );
  for (const row of waiting) {
    const changes = versions.get(row.batch ?? '') ?? 0;
    const state = isDelivered ? 'delivered' : 'failed';
    Object.assign(row, { state, charge: payers.has(row) ? 1 : 0, changes });
  }
  return oweLedger(world, waiting);
};

/** Fails a read that has not begun; if the ledger's answer is unknown, its credit is released. */
export const failRead = (world: World, row: OperationRow, isKnown: boolean): void => {
  if (row.state !== 'opened') return;
  row.state = 'failed';
  if (row.ref !== null) uncount(world, row.ref, 1);
  if (!isKnown) oweLedger(world, [row]);
};

/** The caller got no answer because of our fault: the read costs nothing. */
export const waiveRead = (world: World, row: OperationRow): void => {
  row.isWaived = true;
  world.waived.add(row.id);
  if (row.charge === 0) return;
  row.charge = 0;
  oweLedger(world, [row]);
};

/** The job does not exist: nothing more begins, and nothing of the batch costs anything. */
export const waiveBatch = (world: World, id: string, account: string): void => {
  pauseBatch(world, id, account, 'stopped');
  const own = [...world.db.fetcher.rows.values()].filter((row) => row.batch === id && !row.isWaived);
  for (const row of own) {
    row.isWaived = true;
    row.charge = 0;
    world.waived.add(row.id);
  }
  oweLedger(
    world,
    own.filter((row) => hasEnded(row) && row.state === 'delivered'),
  );
  if (own.length > 0) world.coverage.waivedBatches += 1;
};
