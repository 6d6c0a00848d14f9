import {
  type AccessScope,
  type Command,
  type KeyState,
  keyState,
  namedObject,
  type Role,
  role,
} from '@tds/contracts';
import type { ErrorCode } from '@tds/errors';
import { z } from 'zod';
import type { AnswerHeader } from './answer-headers.ts';

/** One parameter or body field: its rule, and the code of the error when it is broken. */
export type Field<Schema extends z.ZodType = z.ZodType> = {
  readonly schema: Schema;
  readonly code: ErrorCode;
  readonly description: string;
};

/** A part of the path, as `{id}`. `as` is its name in requests of commands, if that is another one. */
type PathParameter = Field & { readonly as?: string };
type PathParameters = Readonly<Record<string, PathParameter>>;

export type Fields = Readonly<Record<string, Field>>;
export type ParsedFields<F extends Fields> = { [Name in keyof F]: z.output<F[Name]['schema']> };
export type ParsedParams<P extends PathParameters> = {
  [Name in keyof P as P[Name] extends { readonly as: infer As extends string } ? As : Name]: z.output<
    P[Name]['schema']
  >;
};

export const field = <Schema extends z.ZodType>(
  schema: Schema,
  code: ErrorCode,
  description: string,
): Field<Schema> => ({ schema, code, description });

/**
 * Which credential a route takes. `session` and `key-or-session` routes are the dashboard-safe ones
 * (specification, part 5.7); a Bearer key always wins over a cookie. `anyone` is a dashboard-safe route that needs no credential,
 * and looks at one that is shown.
 */
export type Access = 'public' | 'anyone' | 'key' | 'session' | 'key-or-session';

/** A signed body as it came: the signature covers its bytes, and the service that handles the command parses them. */
export type SignedBody = { readonly body: string; readonly signature: string };

export type RouteResponse = {
  readonly description: string;
  /** JSON body; absent if there is none or if it is a file. */
  readonly schema?: z.ZodType;
  /** Media types of a file answer. */
  readonly files?: readonly string[];
  /** The data of each event, if the file is a stream of events. */
  readonly event?: z.ZodType;
  /** Beside those that every answer of the route may carry. */
  readonly headers?: readonly AnswerHeader[];
};

/** Groups of routes in the API description, which begins with what it is for. */
export const routeTags = {
  Transcripts: 'Transcripts and facts of videos',
  Library: 'What you have received, and what is said in it',
  'Finding videos': 'Find videos by channel, playlist, text or search',
  'Bulk jobs': 'Up to 500 transcripts per request, with manifests, files and archives',
  Monitors: 'Watch channels and playlists for new videos',
  Webhooks: 'Signed events of jobs, monitors and credits, and their deliveries',
  Assistants: 'The same as tools for assistants, over the Model Context Protocol',
  'Sign-in': 'From an email address to a session and the first key',
  Keys: 'The API keys of an account',
  Connections: 'Assistants and other apps that the holder has connected, by OAuth 2.1',
  Account: 'Balance, limits, usage and the credit ledger',
  People: 'Who is in an account, in which role, and what happened in it',
  Billing: 'Purchases and refunds of credits',
  Status: 'The status of the service and the changes of this API',
} as const;

export type Route = {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** OpenAPI style: `/v1/keys/{keyId}`. */
  readonly path: string;
  readonly access: Access;
  /** What a connected app must be allowed to use it. Absent: no app may. */
  readonly scope?: AccessScope;
  /** The roles of people who may use it. Absent: owners and members. */
  readonly roles?: readonly Role[];
  /** No key with a cap, its own or its person's, may use it, or this form of it: that with these values in its query. */
  readonly uncapped?: true | Readonly<Record<string, string>>;
  /** Which keys may use it. Absent: any key that works to read, active ones alone to change something. */
  readonly keyStates?: readonly KeyState[];
  /** It begins work for us or others, or moves money, which a frozen account may not. */
  readonly startsWork?: true;
  /** If it takes an Idempotency-Key: for how long a repeat gets the first answer. */
  readonly takesIdempotencyKey?: `for ${string}`;
  /** It may move credits, so the answer shows the balance after it. */
  readonly movesBalance?: true;
  /** It only reads, although it is no GET. */
  readonly changesNothing?: true;
  /** The path that shows whether the request took effect, unless it is this path or its parent. */
  readonly outcomeAt?: string;
  /**
   * A key on its way out may repeat, by its Idempotency-Key, the request that put it there: the service that
   * handles the command rejects every other request of that key.
   */
  readonly endingKeysRepeat?: true;
  readonly tag: keyof typeof routeTags;
  readonly summary: string;
  readonly description?: string;
  /** The parameters of the path. */
  readonly params: PathParameters;
  readonly query: Fields;
  /** Its optional cookies beside the session's, with their descriptions. */
  readonly cookies?: Readonly<Record<string, string>>;
  readonly body: Fields | null;
  /** A body of one of several forms: by name those fields that only this form has, of which it requires the first. */
  readonly bodyForms?: Readonly<Record<string, readonly string[]>>;
  /** The code of a body that is a list; `invalid_json` by default. */
  readonly listedBodyCode?: 'batch_tool_calls';
  /** The code of a body that has none of its fields, if it changes only those that come. */
  readonly emptyBodyCode?: ErrorCode;
  /** The size limit of its body; 64 KiB by default. */
  readonly largestBodyBytes?: number;
  /** Mail programs send a form that says nothing beyond the address (RFC 8058): it is not read. */
  readonly ignoresBody?: true;
  /** The header with the signature, if the body is a `SignedBody` of a payment event. */
  readonly signedBy?: string;
  readonly responses: Readonly<Record<number, RouteResponse>>;
  /**
   * The commands it calls; none if the gateway answers from memory. If the request of its one command has only fields that the gateway
   * knows by their names, and the reply is the answer, the row needs no handler.
   */
  readonly calls: readonly Command[];
  /** Codes besides those of its fields, its commands, its access and the gateway itself. */
  readonly errors: readonly ErrorCode[];
  /** Codes of its commands that this route never causes. */
  readonly unreachable?: readonly ErrorCode[];
};

/** The code of a request without a credential. Programs of assistants follow 401 alone to where they are allowed. */
export const missingCredentialCode = ({ tag }: Pick<Route, 'tag'>) =>
  tag === 'Assistants' ? 'authorization_required' : 'missing_api_key';

const onlyActive: readonly KeyState[] = [keyState.enum.active];

/** The states in which a key may use a route that takes keys; for sessions it makes no difference. */
export const keyStatesOf = ({ method, keyStates }: Pick<Route, 'method' | 'keyStates'>): readonly KeyState[] =>
  keyStates ?? (method === 'GET' ? keyState.options : onlyActive);

export const everyRole: readonly Role[] = role.options;
export const onlyOwners: readonly Role[] = ['owner'];
const workers: readonly Role[] = ['owner', 'member'];

/** The roles whose people may use a route. */
export const rolesOf = ({ roles }: Pick<Route, 'roles'>): readonly Role[] => roles ?? workers;

const defaults = { params: {}, query: {}, body: null, calls: [], errors: [] } as const;
type Defaults = typeof defaults;

/** A row as `routes/` declares it. */
type RouteShape = Omit<Route, 'id' | 'tag' | keyof Defaults> & Partial<Pick<Route, keyof Defaults>>;

// Mapped over the given properties, so that an editor leads from each use to the declaration.
type DeclaredRoutes<Shapes> = {
  readonly [Name in keyof Shapes]: { readonly id: Name } & Pick<Route, 'tag'> &
    Omit<Defaults, keyof Shapes[Name]> &
    Shapes[Name];
};

/** Declares rows of one group; the property is the route's id. */
export const defineRoutes = <const Shapes extends Readonly<Record<string, RouteShape>>>(
  tag: Route['tag'],
  shapes: Shapes,
): DeclaredRoutes<Shapes> =>
  Object.fromEntries(
    Object.entries(shapes).map(([id, row]) => [id, { id, tag, ...defaults, ...row }]),
  ) as unknown as DeclaredRoutes<Shapes>;

/** The JSON answer of a success; `id` is its name in the OpenAPI document. */
export const okBody = <Shape extends z.ZodRawShape>(id: string, shape: Shape) =>
  namedObject(id, { ok: z.literal(true), ...shape });

/** The same as an answer of a row. */
export const okAnswer = <Shape extends z.ZodRawShape>(description: string, id: string, shape: Shape) => ({
  description,
  schema: okBody(id, shape),
});
