import type { Refusal } from '../classification/refusal.ts';
import type { Limits } from '../config/limits.ts';
import type { Strategy } from '../config/strategies.ts';
import { platformError, withoutAsking } from '../errors/platform-error.ts';
import { attempt } from '../serving/attempt.ts';
import { cancelled, withinCall, withWait } from '../serving/call.ts';
import { type Engine, planRoutes, type Route } from '../serving/engine.ts';
import { toError } from '../serving/evidence.ts';
import { type HttpRequest, innertubeRequest } from '../transport/exchange.ts';
import type { Call, DiscoveryEndpoint } from '../types.ts';

export type Question<Value> = {
  readonly endpoint: Exclude<DiscoveryEndpoint, 'data_api'>;
  readonly request: (strategy: Strategy, limits: Limits) => HttpRequest;
  /** What is asked about, so that one odd source does not close the route to the others. */
  readonly subject: string;
  readonly read: (body: string) => { readonly value: Value; readonly omitted: number };
};

/** A page of the web client's own interface. */
export const pageRequest =
  (path: string, body: object): Question<never>['request'] =>
  (strategy, { pageBytes }) =>
    innertubeRequest(strategy, path, body, pageBytes);

const askRoute = <Value>(
  engine: Engine,
  route: Route,
  question: Question<Value>,
  call: Call,
  signal: AbortSignal,
) => {
  const callerId = call.callerId ?? null;
  return route.player.run({ videoId: question.subject, callerId, signal }, (turn) =>
    attempt(engine, {
      ...{ route, endpoint: question.endpoint, videoId: '', isTranslation: false, ...turn },
      request: question.request(route.strategy, engine.limits),
      read: question.read,
    }),
  );
};

async function askRoutes<Value>(
  engine: Engine,
  question: Question<Value>,
  call: Call,
  signal: AbortSignal,
): Promise<Value> {
  const plan = await planRoutes(engine, call.callerId ?? null);
  let refusal: Refusal | null = null;
  let isAsked = false;
  for (const route of plan.routes.slice(0, engine.limits.attemptsPerCall)) {
    const answer = await askRoute(engine, route, question, call, signal);
    if (answer === null) {
      refusal ??= route.player.lastFailure();
      continue;
    }
    isAsked = true;
    if (answer.kind === 'ok') return answer.value;
    if (answer.kind === 'cancelled') break;
    refusal = answer.refusal;
    if (refusal.verdict.about === 'video') throw toError(refusal);
  }
  const stopped = cancelled(call);
  if (stopped !== null) throw stopped;
  const error = refusal === null ? platformError('upstream_error') : toError(refusal);
  throw withWait(engine, plan, ({ player }) => player, isAsked ? error : withoutAsking(error));
}

/** Asks egress after egress until one answers; a definite refusal ends it. @throws PlatformError */
export const ask = <Value>(engine: Engine, question: Question<Value>, call: Call): Promise<Value> =>
  withinCall(call, engine.limits.callMs, (signal) => askRoutes(engine, question, call, signal));
