import { isDeepStrictEqual } from 'node:util';
import { type ByteBudget, unlimitedBytes } from '../budget.ts';
import { defaultLimits, type Limits } from '../config/limits.ts';
import { defaultStrategies, type Strategy } from '../config/strategies.ts';
import { followRows, type StrategySource } from '../config/strategy-file.ts';
import { emptyStats, monitored } from '../health/index.ts';
import { directExit, OpenExit } from '../transport/index.ts';
import { noPoTokens, type StrategyHealth, type VideoPlatformOptions } from '../types.ts';

const WORST_FIRST = ['open', 'half_open', 'closed'] as const;

/** One strategy behind one exit. Player and captions fail independently, so each has its own circuit. */
export const createRoute = (strategy: Strategy, exit: OpenExit, limits: Limits, clock: () => Date) => {
  const stats = emptyStats(clock);
  const player = monitored(limits, clock, stats);
  const timedtext = monitored(limits, clock, stats);
  return {
    strategy,
    exit,
    player: player.monitor,
    timedtext: timedtext.monitor,
    /** Its last statement against a video that is known to have captions; null if it served one. */
    knownVideoStatement: null as string | null,
    health(): StrategyHealth {
      const states = [player.circuit.state(), timedtext.circuit.state()];
      return {
        strategy: strategy.name,
        exit: exit.name,
        state: WORST_FIRST.find((state) => states.includes(state)) ?? 'closed',
        lastSuccessAt: stats.lastSuccessAt,
        lastFailureAt: stats.lastFailureAt,
        recent: stats.recent.counts(),
      };
    },
  };
};
export type Route = ReturnType<typeof createRoute>;

/** Opens the exits, which several engines may share. */
export const openExits = ({
  exits = directExit,
  limits,
  onSession,
}: VideoPlatformOptions): readonly OpenExit[] =>
  exits.map((exit) => new OpenExit(exit, { ...defaultLimits, ...limits }, onSession));

export const toSource = (strategies: VideoPlatformOptions['strategies'] = defaultStrategies): StrategySource =>
  typeof strategies === 'function' ? strategies : () => strategies;

/** The routes of the rows as they are now. A route whose row did not change stays, with its circuits. */
const liveRoutes = (
  source: StrategySource,
  isUsable: (row: Strategy) => boolean,
  exits: readonly OpenExit[],
  create: (row: Strategy, exit: OpenExit) => Route,
) =>
  followRows<readonly Route[]>(source, (rows, previous = []) => {
    const findOrCreateRoute = (exit: OpenExit, row: Strategy): Route =>
      previous.find((route) => route.exit === exit && isDeepStrictEqual(route.strategy, row)) ??
      create(row, exit);
    const usable = rows.filter(isUsable);
    return exits.flatMap((exit) => usable.map((row) => findOrCreateRoute(exit, row)));
  });

/** Configuration, routes and ports that all calls share. */
export const createEngine = (
  options: VideoPlatformOptions,
  exits: readonly OpenExit[] = openExits(options),
) => {
  const limits: Limits = { ...defaultLimits, ...options.limits };
  const clock = options.clock ?? (() => new Date());
  const routes = liveRoutes(
    toSource(options.strategies),
    ({ needs }) => needs === 'nothing' || options.poToken !== undefined,
    exits,
    (row, exit) => createRoute(row, exit, limits, clock),
  );
  return {
    origin: new URL(options.origin).origin,
    limits,
    budget: options.budget ?? unlimitedBytes,
    poToken: options.poToken ?? noPoTokens,
    clock,
    onAttempt: options.onAttempt ?? (() => undefined),
    /** The video of the call is known to have captions. */
    asksKnownVideo: false as boolean,
    exits,
    /** Exit by exit, each with the strategies in configured order. Changes with the strategies; a call keeps those of its plan. */
    get routes(): readonly Route[] {
      return routes();
    },
  };
};
export type Engine = ReturnType<typeof createEngine>;

export type Plan = {
  readonly routes: readonly Route[];
  /** Proxied exits were left out because the day's bytes, or the caller's share of them, are spent. */
  readonly isBudgetSpent: boolean;
};

/** A budget that cannot be read counts as spent. */
const remainingBytes = (budget: ByteBudget, callerId: string | null): Promise<number> =>
  budget.remaining(callerId).catch(() => 0);

const isTrial = ({ player, timedtext }: Route): boolean => player.isDue() || timedtext.isDue();

/**
 * Routes that can serve captions come first. One call probes at most one open circuit before it asks the healthy routes, so probes never
 * use up a call's attempts.
 */
const sortRoutes = (routes: readonly Route[]): readonly Route[] => {
  const serving = routes.filter(({ timedtext }) => timedtext.isReady());
  const [trial, ...otherTrials] = serving.filter(isTrial);
  return [
    ...serving.filter((route) => route === trial || !isTrial(route)),
    ...otherTrials,
    ...routes.filter(({ timedtext }) => !timedtext.isReady()),
  ];
};

/** Exits are used evenly: those that may ask at once first, then those that asked least of late. */
const leastUsedExitFirst = (exits: readonly OpenExit[], routes: readonly Route[]): readonly Route[] =>
  exits
    .map((exit) => ({ exit, waitMs: exit.waitMs(), load: Math.round(exit.load()) }))
    .toSorted((one, other) => one.waitMs - other.waitMs || one.load - other.load)
    .flatMap(({ exit }) => routes.filter((route) => route.exit === exit));

/** The routes for a caller, without proxies if its share of the bytes is spent. */
export const planRoutes = async (engine: Engine, callerId: string | null): Promise<Plan> => {
  const hasProxies = engine.routes.some((route) => route.exit.isProxied);
  const isBudgetSpent = hasProxies && (await remainingBytes(engine.budget, callerId)) <= 0;
  const allowed = engine.routes.filter((route) => !(isBudgetSpent && route.exit.isProxied));
  return { isBudgetSpent, routes: sortRoutes(leastUsedExitFirst(engine.exits, allowed)) };
};
