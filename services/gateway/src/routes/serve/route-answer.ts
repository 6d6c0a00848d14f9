import type { AnswerHeader, Route } from '@tds/http-api';
import type { z } from 'zod';
import { type Answer, JSON_TYPE } from '../../wire/index.ts';

declare const describedBy: unique symbol;

/** An answer described by the row; created by `createAnswers` only. */
export type AnswerTo<R extends Route> = Answer & { readonly [describedBy]: R['id'] };

type StatusOf<R extends Route> = keyof R['responses'] & number;

type ResponseAt<R extends Route, S extends StatusOf<R>> = R['responses'][S];

/** `ok: true` is added when the body is written. */
type WithoutOk<Body> = Body extends { ok: true } ? Omit<Body, 'ok'> : Body;

/** The JSON body that a row describes for a status, without `ok`; never if it has none. */
export type BodyAt<R extends Route, S extends StatusOf<R> = StatusOf<R>> =
  ResponseAt<R, S> extends { readonly schema: infer Schema extends z.ZodType }
    ? WithoutOk<z.input<Schema>>
    : never;

type OwnHeaders<Response> = Response extends { readonly headers: readonly (infer Name)[] } ? Name : never;
type ReplayHeaders<R extends Route> = R['takesIdempotencyKey'] extends string ? 'Idempotency-Replayed' : never;

/** The headers of its one status that its handler sets. */
export type HeadersToSet<R extends Route> = Exclude<
  OwnHeaders<ResponseAt<R, StatusOf<R>>> | ReplayHeaders<R>,
  'Vary' | 'Link' | 'X-Is-Complete'
>;

// An empty union would accept any header.
type Headers<Name extends AnswerHeader> = [Name] extends [never]
  ? { readonly [name: string]: never }
  : { readonly [Header in Name]?: string | readonly string[] };

/** The headers that a row declares for a status. A repeated header has a list of values. */
export type HeadersAt<R extends Route, S extends StatusOf<R> = StatusOf<R>> = Headers<
  (OwnHeaders<ResponseAt<R, S>> | ReplayHeaders<R>) & AnswerHeader
>;

type FileType<Response> = Response extends { readonly files: readonly (infer Type extends string)[] }
  ? Type | `${Type}; charset=utf-8`
  : never;

type AnswerOptions<R extends Route, S extends StatusOf<R>> = {
  readonly headers?: HeadersAt<R, S> | undefined;
  readonly cache?: 'X-Cache' extends OwnHeaders<ResponseAt<R, S>> ? Answer['cache'] : undefined;
  readonly creditsCharged?: number | undefined;
};

/** The answers that a row allows for one status. */
type AnswersAt<R extends Route, S extends StatusOf<R>> = {
  json(body: BodyAt<R, S>, more?: AnswerOptions<R, S>): AnswerTo<R> & { readonly body: string };
  /** A body composed before: a file of one of the row's types, or the whole text of a JSON body. */
  composed(
    contentType: FileType<ResponseAt<R, S>> | typeof JSON_TYPE,
    body: Buffer | string,
    more?: AnswerOptions<R, S>,
  ): AnswerTo<R> & { readonly body: Buffer | string };
  /** A file that `takeOver` writes. */
  streamed(
    contentType: FileType<ResponseAt<R, S>>,
    takeOver: NonNullable<Answer['takeOver']>,
    more?: AnswerOptions<R, S> & { readonly bytes?: number | undefined },
  ): AnswerTo<R>;
  /** Only if the row describes no body. */
  readonly empty: [BodyAt<R, S>] extends [never] ? (more?: AnswerOptions<R, S>) => AnswerTo<R> : never;
};

type IsOne<Union, Member = Union> = Member extends unknown ? ([Union] extends [Member] ? true : false) : never;
/** A row with one status of success needs no choice. */
type Choice<R extends Route, S extends StatusOf<R>> =
  IsOne<StatusOf<R>> extends true ? [status?: S] : [status: S];

const flatHeaders = (headers: Readonly<Record<string, string | readonly string[] | undefined>>): string[] =>
  Object.entries(headers).flatMap(([name, values = []]) => [values].flat().flatMap((value) => [name, value]));

type Extras = Pick<Answer, 'cache' | 'creditsCharged'> & {
  readonly headers?: Parameters<typeof flatHeaders>[0];
};

type StreamExtras = Extras & { readonly bytes?: number | undefined };

/** Leaves absent fields out: answers of cached reads are as small as possible. */
const withoutUndefined = ({ headers, cache, creditsCharged }: Extras): Partial<Answer> => ({
  ...(cache && { cache }),
  ...(creditsCharged && { creditsCharged }),
  ...(headers && { headers: flatHeaders(headers) }),
});

/** Creates the answers of a row. The compiler rejects bodies, headers and types that the row does not describe. */
export function createAnswers<R extends Route, const S extends StatusOf<R> = StatusOf<R>>(
  row: R,
  ...[chosenStatus]: Choice<R, S>
): AnswersAt<R, S> {
  const status = chosenStatus ?? Number(Object.keys(row.responses)[0]);
  const composed = (contentType: string, body: Buffer | string, more: Extras = {}) => ({
    ...withoutUndefined(more),
    status,
    contentType,
    body,
  });
  const streamed = (
    contentType: string,
    takeOver: Answer['takeOver'],
    { bytes, ...more }: StreamExtras = {},
  ) => {
    const { headers = [], ...answer } = withoutUndefined(more);
    if (bytes === undefined) return { ...answer, status, contentType, takeOver, headers };
    return {
      ...answer,
      status,
      contentType,
      takeOver,
      bytes,
      headers: [...headers, 'Content-Length', String(bytes)],
    };
  };
  return {
    composed,
    streamed,
    json: (body: object, more?: Extras) => composed(JSON_TYPE, JSON.stringify({ ok: true, ...body }), more),
    empty: (more: Extras = {}) => ({ ...withoutUndefined(more), status }),
  } as unknown as AnswersAt<R, S>;
}

/** Says that the answer is the one of an earlier request. */
export const replayHeaders = (isReplayed: boolean) => (isReplayed ? { 'Idempotency-Replayed': 'true' } : {});

export type PageQuery = Readonly<Record<string, unknown>> & {
  readonly limit: number;
  readonly offset: number;
};
type PageCounts = {
  readonly count: number;
  readonly total: number;
  /** Of a list that grows: items before the page as the list is now, and the cursors of its items. */
  readonly offset?: number | undefined;
  readonly cursors?: readonly string[] | undefined;
};

/** The paging fields of a list. `next` repeats the query for the following page, up to the route's largest offset. */
export const listPage = (
  { path, query: fields }: Pick<Route, 'path' | 'query'>,
  query: PageQuery,
  { count, total, offset = query.offset, cursors }: PageCounts,
) => {
  const end = offset + count;
  const hasMore = count > 0 && end < total;
  const isReachable = fields.offset?.schema.safeParse(String(end)).success === true;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, offset: end, after: cursors?.[count - 1] }))
    if (value !== undefined && value !== null) parameters.set(name, String(value));
  return {
    limit: query.limit,
    offset,
    total,
    has_more: hasMore,
    next: hasMore && isReachable ? `${path}?${parameters}` : null,
  };
};
