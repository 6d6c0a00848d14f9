import { createRandom, type Random } from '#support';
import type { Fault } from './fault.ts';

export type Planned = {
  readonly atMs: number;
  readonly fault: Fault;
  readonly target: string;
  readonly holdMs: number;
};

export type Plan = {
  readonly seed: number;
  readonly kills: number;
  readonly minutes: number;
  /** Short holds, few crash points, and nothing that takes half a minute. */
  readonly quick: boolean;
  /** Nothing but this kind of fault, as often as `kills` says. */
  readonly only?: string | undefined;
};

const WARM_UP_MS = 2_000;

type Draft = Omit<Planned, 'atMs'>;

const holdOf = (fault: Fault, quick: boolean): number => (quick ? fault.quickHoldMs : fault.holdMs);

const sameAgain = (table: readonly Fault[], { only, kills, quick }: Plan, random: Random): Draft[] => {
  const fault = table.find(({ name }) => name === only);
  if (!fault) throw new Error(`there is no fault ${only}: ${table.map(({ name }) => name).join(', ')}`);
  const draftOne = () => ({ fault, target: random.pick(fault.targets), holdMs: holdOf(fault, quick) });
  return Array.from({ length: kills }, draftOne);
};

/** Each kind once, and two crash points. */
const QUICK_PART = 16;
const quickHits = ({ hits = 1 }: Fault): number => Math.max(1, Math.floor(hits / QUICK_PART));

/** Every kind of fault as often as it says, crash points one by one, then kills of single services until there are enough. */
const draft = (table: readonly Fault[], { kills, quick }: Plan, random: Random): Draft[] => {
  const kinds = table.filter(({ name, quickHoldMs }) => name !== 'kill-service' && (!quick || quickHoldMs > 0));
  const once = kinds.flatMap((fault) => {
    const targets = random.shuffled(fault.targets);
    return targets
      .slice(0, quick ? quickHits(fault) : (fault.hits ?? 1))
      .map((target) => ({ fault, target, holdMs: holdOf(fault, quick) }));
  });
  const kill = table.find(({ name }) => name === 'kill-service');
  if (!kill) throw new Error('the table has no kill of a single service');
  const missing = kills - once.reduce((sum, { fault }) => sum + fault.kills, 0);
  const fillers = Array.from({ length: Math.max(0, missing) }, () => fillerOf(kinds, kill, quick, random));
  return random.shuffled([...once, ...fillers]);
};

/** Mostly a kill of a service; sometimes any other fault that kills, so that each comes more often in long runs. */
const OTHERWISE = 0.25;

const fillerOf = (kinds: readonly Fault[], kill: Fault, quick: boolean, random: Random): Draft => {
  const others = kinds.filter(({ kills, name }) => kills === 1 && name !== 'crash-point');
  const fault = !quick && random.next() < OTHERWISE ? random.pick(others) : kill;
  return { fault, target: random.pick(fault.targets), holdMs: holdOf(fault, quick) };
};

/** The same seed gives the same faults on the same targets in the same order, spread over the time that there is. */
export const planFaults = (table: readonly Fault[], plan: Plan): Planned[] => {
  const random = createRandom(plan.seed);
  const drafts = plan.only === undefined ? draft(table, plan, random) : sameAgain(table, plan, random);
  const heldMs = drafts.reduce((sum, { holdMs }) => sum + holdMs, 0);
  const pauseMs = Math.max(0, (plan.minutes * 60_000 - WARM_UP_MS - heldMs) / drafts.length);
  let atMs = WARM_UP_MS;
  return drafts.map((each) => {
    const planned = { ...each, atMs: Math.round(atMs) };
    atMs += each.holdMs + pauseMs * (0.5 + random.next());
    return planned;
  });
};

const MS = 1_000;

export const sayPlan = (planned: readonly Planned[]): string =>
  planned
    .map(({ atMs, fault, target, holdMs }) => {
      const seconds = (atMs / MS).toFixed(1).padStart(7);
      const hold = holdMs > 1 ? ` for ${holdMs / MS} s` : '';
      return `${seconds} s  ${fault.id.padEnd(3)} ${fault.name.padEnd(20)} ${target}${hold}`;
    })
    .join('\n');
