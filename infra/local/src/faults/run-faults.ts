import path from 'node:path';
import { type Arena, createArena } from './arena.ts';
import { checkEverything } from './check-everything.ts';
import { createCustomers } from './customers.ts';
import { faultTable } from './fault-table.ts';
import { descriptors, instances } from './faults-of-processes.ts';
import { type Figures, gatherFigures } from './figures.ts';
import { openHistory } from './history.ts';
import { startLoad } from './load.ts';
import { keepPromoting } from './paying-customers.ts';
import { untilQuiet } from './quiesce.ts';
import { createRandom } from './random.ts';
import { feelPulse } from './redis-pulse.ts';
import { resolveUnknown } from './resolve-unknown.ts';
import { revokeOne } from './revocations.ts';
import { type Plan, planFaults, sayPlan } from './schedule.ts';
import { type ScratchSystem, startScratchSystem } from './scratch-system.ts';
import { strikeAll } from './strike.ts';
import { createTraffic } from './traffic.ts';
import { sleep } from './until.ts';
import { watchRun } from './watch-run.ts';

export type FaultRun = Plan & {
  readonly dir: string;
  readonly throwaway: boolean;
  readonly requestsPerSecond: number;
  readonly say: (line: string) => void;
  /** Ends the faults early; what was begun is checked all the same. */
  readonly signal?: AbortSignal;
  /** For tests of the checker: hurts a system at rest in a way that it must notice. */
  readonly corrupt?: (arena: Arena) => Promise<void>;
};

const FIRST_CUSTOMERS = 32;
const QUICK_CUSTOMERS = 16;
const SIGN_UP_EVERY_MS = 3_000;
const REVOKE_EVERY_MS = 45_000;
/** Later than this after the plan's end, what is left of it is not begun any more. */
const OVERTIME = 1.15;

/** Other streams of numbers than the schedule's own, which must not depend on timing. */
const openArena = (system: ScratchSystem, { seed, dir, say }: FaultRun): Arena => {
  const history = openHistory(path.join(dir, 'history.jsonl'));
  const { gateway, mail } = system;
  const customers = createCustomers({ gateway, mailbox: mail.url, history, run: String(seed) });
  const random = createRandom(seed + 1);
  const traffic = createTraffic({
    ...{ gateway, history, customers, random, seed },
    brokerPort: system.servers.nats.port,
  });
  return createArena({ system, history, customers, traffic, random: createRandom(seed + 2), say });
};

const signUpFirst = async ({ customers, traffic }: Arena, count: number): Promise<void> => {
  await Promise.all(Array.from({ length: count }, () => customers.signUp()));
  if (customers.all.length < count) throw new Error('the first customers could not sign up');
  await Promise.all(Array.from({ length: count }, () => traffic.calls.cold()));
};

const revokeNowAndThen = (arena: Arena, isOver: () => boolean): { end(): Promise<unknown> } => {
  const revocations: Promise<void>[] = [];
  const run = async () => {
    while (!isOver()) {
      revocations.push(revokeOne(arena));
      for (let waited = 0; waited < REVOKE_EVERY_MS && !isOver(); waited += 100) await sleep(100);
    }
  };
  const running = run();
  return { end: () => running.then(() => Promise.all(revocations)) };
};

const hurt = async (arena: Arena, run: FaultRun) => {
  const planned = planFaults(faultTable, run);
  run.say(`seed ${run.seed}: ${planned.length} faults\n${sayPlan(planned)}`);
  await signUpFirst(arena, run.quick ? QUICK_CUSTOMERS : FIRST_CUSTOMERS);
  // A quick run does all that it planned, however busy the machine is.
  const deadline = run.quick
    ? Number.POSITIVE_INFINITY
    : arena.history.now() + run.minutes * 60_000 * OVERTIME;
  let over = false;
  const isOver = () => over || run.signal?.aborted === true || arena.history.now() > deadline;
  const load = startLoad({
    traffic: arena.traffic,
    random: createRandom(run.seed + 3),
    requestsPerSecond: run.requestsPerSecond,
    signUpEveryMs: SIGN_UP_EVERY_MS,
  });
  const watching = watchRun(arena);
  const pulse = feelPulse(arena.system.redisPort, arena.history);
  const promoting = keepPromoting(arena.system, isOver);
  const revoking = run.quick ? null : revokeNowAndThen(arena, isOver);
  const struck = await strikeAll(arena, planned, isOver);
  over = true;
  await revoking?.end();
  await promoting.end();
  await load.stop();
  await pulse.end();
  if (struck < planned.length) run.say(`time was over after ${struck} of ${planned.length} faults`);
  return watching.end();
};

/** Starts a system of its own, hurts it as the seed says while customers use it, and checks every promise. */
export const runFaults = async (run: FaultRun): Promise<Figures> => {
  const { dir, throwaway, say, seed } = run;
  const system = await startScratchSystem({
    ...{ seed, dir, throwaway, instances, descriptors },
    onEvent: (line) => say(`  ${line}`),
  });
  try {
    const arena = openArena(system, run);
    const watched = await hurt(arena, run);
    const quietAfterMs = await untilQuiet(arena);
    say(quietAfterMs === null ? 'work is left open' : `at rest after ${quietAfterMs} ms`);
    await resolveUnknown(arena);
    await untilQuiet(arena);
    await run.corrupt?.(arena);
    const findings = await checkEverything(arena, watched.seals);
    const figures = await gatherFigures(arena, { seed, watched, quietAfterMs, findings });
    await arena.history.close();
    return figures;
  } finally {
    await system.stop();
  }
};
