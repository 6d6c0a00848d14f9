import type { AnswerHeader, Route } from '@tds/http-api';
import type { z } from 'zod';
import { type Answer, JSON_TYPE } from '../http/answer.ts';

declare const describedBy: unique symbol;

/** An answer that the row describes: only `answersOf` makes one. */
export type AnswerTo<R extends Route> = Answer & { readonly [describedBy]: R['id'] };

/** The statuses of success that a row has. */
export type StatusOf<R extends Route> = keyof R['responses'] & number;

type ResponseAt<R extends Route, S extends StatusOf<R>> = R['responses'][S];

/** What every success starts with is added when the body is written. */
type WithoutOk<Body> = Body extends { ok: true } ? Omit<Body, 'ok'> : Body;

/** The JSON body that a row describes for a status, without its `ok`; never if it has none. */
export type BodyAt<R extends Route, S extends StatusOf<R> = StatusOf<R>> =
  ResponseAt<R, S> extends { readonly schema: infer Schema extends z.ZodType }
    ? WithoutOk<z.input<Schema>>
    : never;

type Own<Response> = Response extends { readonly headers: readonly (infer Name)[] } ? Name : never;
type OfRepeats<R extends Route> = R['takesIdempotencyKey'] extends true ? 'Idempotency-Replayed' : never;

// No name at all would be a type that takes anything.
type Headers<Name extends AnswerHeader> = [Name] extends [never]
  ? { readonly [name: string]: never }
  : { readonly [Header in Name]?: string | readonly string[] };

/** The headers that a row declares for a status. One that comes several times has a list of values. */
export type HeadersAt<R extends Route, S extends StatusOf<R> = StatusOf<R>> = Headers<
  (Own<ResponseAt<R, S>> | OfRepeats<R>) & AnswerHeader
>;

type FileType<Response> = Response extends { readonly files: readonly (infer Type extends string)[] }
  ? Type | `${Type}; charset=utf-8`
  : never;

type More<R extends Route, S extends StatusOf<R>> = {
  readonly headers?: HeadersAt<R, S> | undefined;
  readonly cache?: 'X-Cache' extends Own<ResponseAt<R, S>> ? Answer['cache'] : undefined;
  readonly creditsCharged?: number | undefined;
};

/** What a route may answer with one status, as its row describes it. */
type AnswersAt<R extends Route, S extends StatusOf<R>> = {
  json(body: BodyAt<R, S>, more?: More<R, S>): AnswerTo<R> & { readonly body: string };
  /** A body that is composed already: a file of one of the row's types, or the whole text of a JSON body. */
  composed(
    contentType: FileType<ResponseAt<R, S>> | typeof JSON_TYPE,
    body: Buffer | string,
    more?: More<R, S>,
  ): AnswerTo<R> & { readonly body: Buffer | string };
  /** A file whose body is written by whoever has it. */
  streamed(
    contentType: FileType<ResponseAt<R, S>>,
    takeOver: NonNullable<Answer['takeOver']>,
    more?: More<R, S> & { readonly bytes?: number | undefined },
  ): AnswerTo<R>;
  /** If the row describes no body. */
  readonly empty: [BodyAt<R, S>] extends [never] ? (more?: More<R, S>) => AnswerTo<R> : never;
};

type IsOne<Union, Member = Union> = Member extends unknown
  ? [Union] extends [Member]
    ? true
    : false
  : never;
/** A row with one status of success chooses it; otherwise the handler says which one it answers. */
type Choice<R extends Route, S extends StatusOf<R>> =
  IsOne<StatusOf<R>> extends true ? [status?: S] : [status: S];

const listed = (headers: Readonly<Record<string, string | readonly string[] | undefined>>): string[] =>
  Object.entries(headers).flatMap(([name, given = []]) => [given].flat().flatMap((value) => [name, value]));

type Given = Pick<Answer, 'cache' | 'creditsCharged'> & { readonly headers?: Parameters<typeof listed>[0] };

type StreamGiven = Given & { readonly bytes?: number | undefined };

/** Nothing that was not given becomes a property: answers to cached reads are made of as little as can be. */
const without = ({ headers, cache, creditsCharged }: Given): Partial<Answer> => ({
  ...(cache && { cache }),
  ...(creditsCharged && { creditsCharged }),
  ...(headers && { headers: listed(headers) }),
});

/** Makes the answers of a row, so that the compiler refuses a body, a header or a type that the row does not describe. */
export function answersOf<R extends Route, const S extends StatusOf<R> = StatusOf<R>>(
  row: R,
  ...[chosen]: Choice<R, S>
): AnswersAt<R, S> {
  const status = chosen ?? Number(Object.keys(row.responses)[0]);
  const composed = (contentType: string, body: Buffer | string, more: Given = {}) => ({
    ...without(more),
    status,
    contentType,
    body,
  });
  const streamed = (contentType: string, takeOver: Answer['takeOver'], more: StreamGiven = {}) => {
    const length = more.bytes === undefined ? [] : ['Content-Length', String(more.bytes)];
    const made = without(more);
    return { ...made, status, contentType, takeOver, headers: [...(made.headers ?? []), ...length] };
  };
  return {
    composed,
    streamed,
    json: (body: object, more?: Given) => composed(JSON_TYPE, JSON.stringify({ ok: true, ...body }), more),
    empty: (more: Given = {}) => ({ ...without(more), status }),
  } as unknown as AnswersAt<R, S>;
}
