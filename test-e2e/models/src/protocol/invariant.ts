import { atFetcher } from './jobs.ts';
import { ACCOUNTS, COLD_CAP, hasEnded, isLive, partOf, SLOTS } from './state.ts';
import type { World } from './world.ts';

const fail = (what: string): never => {
  throw new Error(what);
};

/** Items that are charged and not released, as `ref#item`. */
const chargedItems = ({ db }: World): Set<string> =>
  new Set(
    [...db.ledger.books.reservations.values()].flatMap(({ ref, items, refunded }) =>
      [...items].flatMap(([item, is]) => (is === 'charged' && !refunded.has(item) ? [`${ref}#${item}`] : [])),
    ),
  );

const checkHeld = ({ db }: World): void => {
  const open = new Set(
    [...db.fetcher.rows.values()].flatMap((row) => (hasEnded(row) ? [] : [`${row.ref}#${partOf(row)}`])),
  );
  for (const [ref] of db.ledger.books.reservations)
    for (const { held } of db.ledger.books.find(ref))
      for (const item of held) if (!open.has(`${ref}#${item}`)) fail(`${ref}#${item} is held for nothing`);
};

/** An account pays once for each new track it got, and for nothing else. */
const checkCharges = (world: World): void => {
  const charged = chargedItems(world);
  const payable = new Set(world.deliveries.flatMap(({ items }) => items));
  for (const item of charged) if (!payable.has(item)) fail(`${item} is charged for nothing`);
  const isWhole = !world.restored.fetcher && !world.restored.jobs;
  for (const { account, rows, items } of world.deliveries) {
    const paid = items.filter((item) => charged.has(item)).length;
    const isVoid = rows.some((row) => world.waived.has(row));
    if (paid > 1 || (paid === 0 && isWhole && !isVoid))
      fail(`a new track for account ${account} (${rows.join(', ')}) is charged ${paid} times`);
  }
};

/** A row of a job is paid once, however often it was fetched, and the job shows its charge. */
const checkJobsArePaidOnce = (world: World): void => {
  const { books } = world.db.ledger;
  const paid = new Map<string, number>();
  for (const { jobId, items, refunded } of books.reservations.values())
    for (const [item, is] of items)
      if (jobId !== null && is === 'charged' && !refunded.has(item))
        paid.set(`${jobId} ${item}`, (paid.get(`${jobId} ${item}`) ?? 0) + 1);
  for (const [row, times] of paid) if (times > 1) fail(`${row} is paid ${times} times`);
  const isWhole = Object.values(world.restored).every((was) => !was);
  for (const job of world.db.jobs.jobs.values())
    for (const { status, position } of job.rows)
      if (isWhole && (status === 'fetched') !== paid.has(`${job.id} ${position + 1}`))
        fail(`row ${position} of ${job.id} is shown as ${status}, and charged otherwise`);
};

const checkLimits = (world: World): void => {
  if (!world.restored.fetcher)
    for (const [of, count] of world.begun)
      if (count > SLOTS * COLD_CAP) fail(`account ${of} began ${count} cold rows`);
  if (Object.values(world.restored).some((was) => was)) return;
  for (const id of ACCOUNTS) {
    const { free, purchased, reserved, debt } = world.db.ledger.books.account(id);
    if (Math.min(free, purchased, reserved) < 0 || debt > 0) fail(`account ${id} has spent more than it had`);
  }
};

const checkJobs = ({ db }: World): void => {
  for (const job of db.jobs.jobs.values()) {
    if (!job.isAnswered || job.status === 'creating') fail(`the key of ${job.id} is neither answered nor free`);
    if (isLive(job) && job.status !== 'paused') fail(`${job.id} neither ends nor says what it waits for`);
    if (!isLive(job) && atFetcher(job).length > 0) fail(`${job.id} has ended, and rows of it are under way`);
  }
};

/** Holds when all due work is done. */
export const checkInvariant = (world: World): void => {
  checkHeld(world);
  checkCharges(world);
  checkJobsArePaidOnce(world);
  checkLimits(world);
  checkJobs(world);
};
