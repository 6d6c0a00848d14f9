import type { FakeBooks } from '@tds/reservations/testing';
import { type Due, hasEnded, type Job, type Key, type OperationRow, partOf } from './state.ts';
import type { Activity, World } from './world.ts';

type ReserveRequest = {
  readonly ref: string;
  readonly key: Key;
  readonly cap: number | null;
  readonly batch: string | null;
  readonly items: readonly number[];
  readonly coverage: 'all' | 'some';
};
type ReserveResult = ReturnType<FakeBooks['reserve']>;

const reason = 'transcript';
const requestId = 'request';

/** Holds items; the command may arrive once more, late. */
export const reserve = (
  world: World,
  { ref, key, cap, batch, items, coverage }: ReserveRequest,
): ReserveResult => {
  const limitId = world.limitOf(key);
  const asked = { ref, accountId: key.account, keyId: key.id, limitId, dailyCreditCap: cap, jobId: batch };
  const request = { ...asked, reason, requestId, unit: 1, items: [...items], coverage };
  const used = () => world.db.ledger.books.used.get(`${key.account} ${limitId}`) ?? 0;
  const before = used();
  const reserved = world.db.ledger.books.reserve(request);
  if (used() > before && key.cap !== null && used() > key.cap)
    throw new Error(`${limitId} holds ${used()} where the cap is ${key.cap}`);
  world.late.push(() => void world.db.ledger.books.reserve(request));
  return reserved;
};

const chargeLost = (
  world: World,
  { ref, row, items }: Pick<Due, 'ref' | 'row'> & { items: readonly number[] },
): void => {
  if (!world.rules.chargesAgain) return;
  const { account: accountId, key: keyId, batch: jobId } = row;
  const request = {
    ref,
    accountId,
    keyId,
    limitId: 'none',
    jobId,
    reason,
    requestId,
    unit: 1,
    items: [...items],
  };
  world.db.ledger.books.charge(request);
  world.coverage.chargedAgain += items.length;
};

/** Resolves items at the ledger, repeatedly, by any process. */
export const settlePending = function* (world: World, due: Due): Activity {
  const { ref, charge, release } = due;
  const resolve = () => world.db.ledger.books.resolve({ ref, charge: [...charge], release: [...release] });
  const { charged } = resolve();
  world.late.push(() => void resolve());
  yield;
  const uncharged = charge.filter((item) => !charged.includes(item));
  if (uncharged.length > 0) chargeLost(world, { ...due, items: uncharged });
  const refunded = release.filter((item) => charged.includes(item));
  if (refunded.length > 0) world.db.ledger.books.refund({ ref, items: refunded });
  yield;
  world.db.fetcher.settlements.delete(due.id);
};

const rowsByItem = ({ db }: World): Map<string, OperationRow> =>
  new Map(
    [...db.fetcher.rows.values()].flatMap((row) =>
      row.ref === null ? [] : [[`${row.ref}#${partOf(row)}`, row]],
    ),
  );

/** Resolves holds of unknown or ended work. Nothing else runs, and all holds are old. */
const releaseWhatNobodyHas = (world: World): void => {
  const { books } = world.db.ledger;
  const rows = rowsByItem(world);
  for (const ref of [...books.reservations.keys()])
    for (const item of books.find(ref).flatMap(({ held }) => held)) {
      const row = rows.get(`${ref}#${item}`);
      if (row && !hasEnded(row)) continue;
      const isCharged = row?.charge === 1;
      books.resolve({ ref, charge: isCharged ? [item] : [], release: isCharged ? [] : [item] });
      world.coverage.releasedByComparison += 1;
    }
};

const chargeWhatWasLost = (world: World): void => {
  const { books } = world.db.ledger;
  for (const row of world.db.fetcher.rows.values()) {
    if (row.charge === 0 || row.ref === null) continue;
    const [found] = books.find(row.ref);
    const resolved = [...(found?.charged ?? []), ...(found?.released ?? [])];
    if (!resolved.includes(partOf(row))) chargeLost(world, { ref: row.ref, row, items: [partOf(row)] });
  }
};

const refundWhatIsVoid = ({ db }: World): void => {
  for (const row of db.fetcher.rows.values())
    if (row.isWaived && row.ref !== null && row.state === 'delivered')
      db.ledger.books.refund({ ref: row.ref, items: [partOf(row)] });
};

/** Compares in both directions, when all other work has ended, or died ten minutes ago. */
export const compareWithLedger = (world: World): void => {
  world.repeatGrants();
  releaseWhatNobodyHas(world);
  chargeWhatWasLost(world);
  refundWhatIsVoid(world);
};

/** The paid items of a job, over all its reservations. */
export const paidItems = ({ db }: World, job: Job): Set<number> => {
  const own = [...db.ledger.books.reservations.values()].filter(({ jobId }) => jobId === job.id);
  const paid = own.flatMap(({ items, refunded }) =>
    [...items].flatMap(([item, is]) => (is === 'charged' && !refunded.has(item) ? [item] : [])),
  );
  return new Set(paid);
};
