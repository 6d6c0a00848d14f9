import type { ReplyOf, RequestOf, Route } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { compressible } from '../http/compression.ts';
import type { Surface } from '../surface.ts';
import { answersOf, type BodyAt, type HeadersAt } from './route-answer.ts';
import type { Input, RouteHandler } from './route-handler.ts';

type CallDeps = Pick<Deps, 'call' | 'config'>;

type Steps<R extends Route, C extends Surface['calls'][number]> = {
  /** Throws the service error of whatever the fields' own rules cannot refuse. */
  request(input: Input<R>): RequestOf<C>;
  headers?(deps: CallDeps): HeadersAt<R>;
  /** Its answers may be large, and show no secret. */
  readonly isCompressible?: boolean;
} & ([BodyAt<R>] extends [never]
  ? { readonly body?: never }
  : { body(reply: ReplyOf<C>, input: Input<R>): BodyAt<R> });

type AnySteps = {
  request(input: unknown): never;
  headers?(deps: CallDeps): object;
  readonly isCompressible?: boolean;
  body?(reply: unknown, input: unknown): object;
};
type AnyAnswers = {
  json(body: object, more: object): never;
  empty(more: object): never;
};

/** A route that does nothing but parse, call one command, and render its reply with the row's one status. */
export const callRoute = <R extends Route, C extends Surface['calls'][number]>(
  row: R,
  command: C,
  steps: Steps<R, C>,
): RouteHandler<R, CallDeps> => {
  const { request, headers, body, isCompressible } = steps as unknown as AnySteps;
  const answers = answersOf(row as Route, Number(Object.keys(row.responses)[0])) as unknown as AnyAnswers;
  return {
    row,
    async handle(deps, input) {
      const reply = await deps.call(command, request(input), input.callContext);
      const more = headers ? { headers: headers(deps) } : {};
      if (!body) return answers.empty(more);
      const answer = answers.json(body(reply, input), more);
      return isCompressible ? compressible(answer) : answer;
    },
  };
};
