import type { Refusal } from '../classification/index.ts';
import type { Limits } from '../config/limits.ts';
import type { Strategy } from '../config/strategies.ts';
import { platformError, withoutAsking } from '../errors/platform-error.ts';
import { attempt, callError, type Engine, toError, withinCall } from '../serving/index.ts';
import { type HttpRequest, innertubeRequest } from '../transport/index.ts';
import type { Call, DiscoveryEndpoint } from '../types.ts';

export type Question<Value> = {
  readonly endpoint: Exclude<DiscoveryEndpoint, 'data_api'>;
  readonly request: (strategy: Strategy, limits: Limits) => HttpRequest;
  /** The source asked about, so that one odd source does not close the route to the others. */
  readonly subject: string;
  readonly read: (body: string) => { readonly value: Value; readonly omitted: number };
};

/** A page of the web client's own interface. */
export const pageRequest =
  (path: string, body: object): Question<never>['request'] =>
  (strategy, { pageBytes }) =>
    innertubeRequest(strategy, path, body, pageBytes);

/** Asks route after route until one answers; a definite refusal ends the call. @throws PlatformError */
export const ask = <Value>(engine: Engine, question: Question<Value>, call: Call): Promise<Value> =>
  withinCall(engine, call, async ({ plan, callerId, signal }) => {
    const { endpoint, subject, read } = question;
    let refusal: Refusal | null = null;
    let isAsked = false;
    for (const route of plan.routes.slice(0, engine.limits.attemptsPerCall)) {
      const request = question.request(route.strategy, engine.limits);
      const answer = await route.player.run({ videoId: subject, callerId, signal }, (turn) =>
        attempt(engine, { route, endpoint, videoId: '', isTranslation: false, request, read, ...turn }),
      );
      if (answer === null) {
        refusal ??= route.player.lastFailure();
        continue;
      }
      isAsked = true;
      if (answer.kind === 'ok') return answer.value;
      if (answer.kind === 'cancelled') break;
      refusal = answer.refusal;
      if (refusal.meaning.about === 'video') throw toError(refusal);
    }
    const error = refusal === null ? platformError('upstream_error') : toError(refusal);
    throw callError(engine, call, plan, ({ player }) => player, isAsked ? error : withoutAsking(error));
  });
