import { advance, createJob, finishFetch } from './activities.ts';
import { beginRow } from './fetcher.ts';
import { checkInvariant } from './invariant.ts';
import { pauseForKey, retry } from './jobs.ts';
import type { Rule, Rules } from './rules.ts';
import type { Job, Key } from './state.ts';
import { drain, finish } from './steps.ts';
import { type Activity, World } from './world.ts';

const runUntil = (activity: Activity, isThere: () => boolean): void => {
  while (!isThere()) if (activity.next().done) throw new Error('it has ended before');
};
const keyOf = (world: World): Key => world.keyOf(String(world.keys[0]?.id));
const jobOf = (world: World): Job => [...world.db.jobs.jobs.values()][0] as Job;
const drainAndCheck = (world: World): void => {
  drain(world);
  checkInvariant(world);
};

/** An opening whose rows were refused dies unfinished: the next one finds it. */
const anOpeningWithoutAnEnd = (rules: Rules): void => {
  const world = new World(rules);
  const key = keyOf(world);
  finish(createJob(world, key, 1, [1, 2, 3, 4]));
  const job = jobOf(world);
  world.goToMidnight();
  const opening = advance(world, job.id);
  // The fetcher has learnt that the key is active.
  for (const _ of [1, 2, 3]) opening.next();
  key.phase = 'revoked';
  pauseForKey(world, job);
  finish(advance(world, job.id));
  runUntil(opening, () => world.db.fetcher.batches.get(job.id)?.opening !== null);
  world.newKey(key.account, null);
  retry(world, job, world.keys.at(-1) as Key);
  drainAndCheck(world);
};

/** Rows are paid, and lost with the fetcher's database before the job has saved that they were opened. */
const aForgottenOpening = (rules: Rules): void => {
  const world = new World(rules);
  world.copy('fetcher');
  const creating = createJob(world, keyOf(world), 1, [1]);
  creating.next();
  const batch = () => world.db.fetcher.batches.get(jobOf(world).id);
  runUntil(creating, () => typeof batch()?.opening === 'string');
  runUntil(creating, () => batch()?.opening === null);
  for (const row of [...world.db.fetcher.rows.values()]) beginRow(world, row);
  for (const fetch of [...world.db.fetcher.fetches.keys()]) finish(finishFetch(world, fetch, true));
  world.putBack('fetcher');
  drainAndCheck(world);
};

/** Two calls reserve the same reservation without credits; the first deletes its row, and only the second answer arrives. */
const aReservationAskedForTwice = (rules: Rules): void => {
  const world = new World(rules);
  const key = keyOf(world);
  key.cap = 1;
  finish(createJob(world, key, 1, [1, 2]));
  const job = jobOf(world);
  const batch = () => world.db.fetcher.batches.get(job.id);
  const first = advance(world, job.id);
  runUntil(first, () => typeof batch()?.opening === 'string');
  const second = advance(world, job.id);
  // It has found the reservation of the first.
  for (const _ of [1, 2, 3, 4]) second.next();
  for (const each of [first, second]) finish(each);
  key.cap = null;
  drainAndCheck(world);
};

/** Sequences that chance rarely finds, by the rule that they need. */
export const rare: Partial<Record<Rule, (rules: Rules) => void>> = {
  finishesOpenings: anOpeningWithoutAnEnd,
  answersAlike: aReservationAskedForTwice,
  asksWhatIsPaid: aForgottenOpening,
};
