import path from 'node:path';
import { utcDay } from '@tds/contracts';
import { createRandom, type HurtSystem, sleep } from '#support';
import { checkEverything } from './checks/check-everything.ts';
import { checkCrossing } from './checks/crossing.ts';
import { resolveUnknown } from './checks/resolve-unknown.ts';
import { askAllRevoked, revokeOne } from './checks/revocations.ts';
import { faultTable } from './faults/fault-table.ts';
import { type Plan, planFaults, sayPlan } from './faults/schedule.ts';
import { strikeAll } from './faults/strike.ts';
import { type Figures, gatherFigures } from './figures.ts';
import { createHarness, evidenceOf, type Harness } from './harness.ts';
import { openHistory } from './history.ts';
import { keepBuying } from './load/buyers.ts';
import { type Customer, createCustomers } from './load/customers.ts';
import { startLoad } from './load/load.ts';
import { keepLongJobs } from './load/long-jobs.ts';
import { keepMailing, keepMails } from './load/mailed-people.ts';
import { keepPromoting } from './load/paying-customers.ts';
import { keepReceiving } from './load/receivers.ts';
import { feelPulse } from './load/redis-pulse.ts';
import { keepRefilling } from './load/refilled-customers.ts';
import type { Uploads } from './load/scene.ts';
import { createTraffic } from './load/traffic.ts';
import { keepUploading } from './load/watchers.ts';
import { untilQuiet } from './quiesce.ts';
import { type SystemKind, systems } from './systems.ts';
import { watchRun } from './watch-run.ts';

export type FaultRun = Plan & {
  readonly system: SystemKind;
  readonly dir: string;
  readonly throwaway: boolean;
  /** The folder of the older release that the system begins as. */
  readonly from?: string | undefined;
  /** All calendars but those of the broker and Redis are off by this, so that the run crosses a month's end. */
  readonly clockOffsetMs?: number | undefined;
  readonly requestsPerSecond: number;
  readonly say: (line: string) => void;
  /** Ends the faults early; what was begun is checked all the same. */
  readonly signal?: AbortSignal;
  /** For tests of the checker: hurts a system at rest in a way that it must notice. */
  readonly corrupt?: (harness: Harness) => Promise<void>;
};

const FIRST_CUSTOMERS = 32;
const QUICK_CUSTOMERS = 16;
const SIGN_UP_ROUNDS = 4;
const SIGN_UP_EVERY_MS = 3_000;
const REVOKE_EVERY_MS = 45_000;
/** Later than this after the plan's end, what is left of it is not begun any more. */
const OVERTIME = 1.15;

/** Other streams of numbers than the schedule's own, which must not depend on timing. */
const openHarness = (system: HurtSystem, { seed, dir, say }: FaultRun): Harness => {
  const history = openHistory(path.join(dir, 'history.jsonl'));
  const { gateway, mail } = system;
  const customers = createCustomers({ gateway, mailbox: mail.url, history, run: String(seed) });
  const uploads: Uploads = new Map();
  const refilled: Customer[] = [];
  const traffic = createTraffic({
    gateway,
    history,
    customers,
    random: createRandom(seed + 1),
    seed,
    evidence: evidenceOf(system),
    receiver: system.receiver,
    simulator: system.simulator,
    ...{ uploads, refilled },
  });
  const random = createRandom(seed + 2);
  return createHarness({ system, history, customers, traffic, uploads, refilled, random, say });
};

const signUpFirst = async ({ customers, traffic }: Harness, count: number): Promise<void> => {
  // A machine that has just started everything may be too busy for some of them.
  for (let round = 0; round < SIGN_UP_ROUNDS; round += 1)
    await Promise.all(Array.from({ length: count - customers.all.length }, () => customers.signUp()));
  if (customers.all.length < count) throw new Error('the first customers could not sign up');
  await Promise.all(Array.from({ length: count }, () => traffic.calls.cold()));
};

const revokeNowAndThen = (harness: Harness, isOver: () => boolean): { end(): Promise<unknown> } => {
  const revocations: Promise<void>[] = [];
  const run = async () => {
    while (!isOver()) {
      revocations.push(revokeOne(harness));
      for (let waited = 0; waited < REVOKE_EVERY_MS && !isOver(); waited += 100) await sleep(100);
    }
  };
  const running = run();
  return { end: () => running.then(() => Promise.all(revocations)) };
};

const hurt = async (harness: Harness, run: FaultRun) => {
  const planned = planFaults(faultTable(run.system), run);
  run.say(`seed ${run.seed}: ${planned.length} faults\n${sayPlan(planned)}`);
  await signUpFirst(harness, run.quick ? QUICK_CUSTOMERS : FIRST_CUSTOMERS);
  // A quick run does all that it planned, however busy the machine is.
  const deadline = run.quick
    ? Number.POSITIVE_INFINITY
    : harness.history.now() + run.minutes * 60_000 * OVERTIME;
  let over = false;
  const isOver = () => over || run.signal?.aborted === true || harness.history.now() > deadline;
  const load = startLoad({
    traffic: harness.traffic,
    random: createRandom(run.seed + 3),
    requestsPerSecond: run.requestsPerSecond,
    signUpEveryMs: SIGN_UP_EVERY_MS,
  });
  const longJobs = await keepLongJobs(harness, run.seed, isOver);
  const uploading = await keepUploading(harness, isOver);
  const receiving = await keepReceiving(harness, isOver);
  const mailing = await keepMailing(harness, isOver);
  const refilling = await keepRefilling(harness, isOver);
  const watching = watchRun(harness);
  const pulse = feelPulse(harness.system.redisUrl, harness.history);
  const promoting = keepPromoting(harness.system, isOver);
  const buying = keepBuying(harness.system, run.seed + 4, isOver);
  const revoking = run.quick ? null : revokeNowAndThen(harness, isOver);
  const struck = await strikeAll(harness, planned, isOver);
  over = true;
  await revoking?.end();
  await promoting.end();
  await buying.end();
  await longJobs.end();
  await uploading.end();
  await receiving.end();
  await mailing.end();
  await refilling.end();
  await load.stop();
  await pulse.end();
  if (struck < planned.length) run.say(`time was over after ${struck} of ${planned.length} faults`);
  return watching.end();
};

/** Starts a system of its own, hurts it as the seed says while customers use it, and checks every promise. */
export const runChaos = async (run: FaultRun): Promise<Figures> => {
  const { say, seed } = run;
  const system = await systems[run.system].start(run);
  try {
    const harness = openHarness(system, run);
    const begunOn = run.clockOffsetMs === undefined ? null : utcDay(new Date());
    const watched = await hurt(harness, run);
    const quietAfterMs = await untilQuiet(harness);
    if (quietAfterMs !== null) say(`at rest after ${quietAfterMs} ms`);
    await resolveUnknown(harness);
    await askAllRevoked(harness);
    await untilQuiet(harness);
    await keepMails(harness);
    await run.corrupt?.(harness);
    const findings = [
      ...(await checkEverything(harness, watched.seals)),
      ...(begunOn === null ? [] : await checkCrossing(harness.evidence, begunOn)),
    ];
    const figures = await gatherFigures(harness, { seed, watched, quietAfterMs, findings });
    await harness.history.close();
    return figures;
  } finally {
    await system.stop();
  }
};
