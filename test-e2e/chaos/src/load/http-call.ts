import { createHash } from 'node:crypto';
import { Agent, setGlobalDispatcher } from 'undici';
import type { CallKind, CallRecord, History } from '../history.ts';

// With Node's own dispatcher a connection that ends before its answer was read ends the process (nodejs/undici#5360), whoever has called
// fetch. The import alone replaces it only where nothing has loaded Node's own before.
setGlobalDispatcher(new Agent());

/** Longer than any answer may take: 25 s of waiting and a few hops. */
const PATIENCE_MS = 45_000;
const OK = 200;

export type Asked = {
  readonly kind: CallKind;
  readonly url: string;
  readonly about: string;
  readonly accountId?: string | null;
  readonly keyId?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** POST where there is a body, unless this says otherwise. */
  readonly method?: 'PUT' | 'POST' | 'DELETE';
  readonly hot?: boolean;
  /** What of a JSON body is compared with other answers. */
  readonly shown?: (json: Record<string, unknown>) => unknown;
};

export type CallAnswer = {
  readonly record: CallRecord;
  readonly headers: Headers;
  /** The body where it is JSON. */
  readonly json: Record<string, unknown> | null;
  /** As it came; null where no whole answer did. */
  readonly body: Buffer | null;
};

type Reply = { readonly response: Response; readonly body: Buffer };

const send = async ({ url, headers = {}, body, method }: Asked): Promise<Reply> => {
  const response = await fetch(url, {
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
    headers: body ? { ...headers, 'content-type': 'application/json' } : headers,
    ...(body ? { method: method ?? 'POST', body: JSON.stringify(body) } : { method: method ?? 'GET' }),
  });
  return { response, body: Buffer.from(await response.arrayBuffer()) };
};

/** Refused, reset or timed out: the outcome of the call is unknown. */
const reasonOf = (error: Error): string =>
  (error.cause as NodeJS.ErrnoException | undefined)?.code ?? error.name;

const parse = ({ response, body }: Reply): Record<string, unknown> | null =>
  response.headers.get('content-type')?.includes('json')
    ? (JSON.parse(body.toString()) as Record<string, unknown>)
    : null;

const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Of what a page showed, as in `CallRecord.sha256`. */
export const digestOfShown = (shown: unknown): string => sha256(JSON.stringify(shown));

const digestOf = (
  { response, body }: Reply,
  json: Record<string, unknown> | null,
  { shown }: Asked,
): string | null => {
  if (!response.ok) return null;
  if (json === null) return body.length === 0 ? null : sha256(body);
  return shown && response.status === OK ? digestOfShown(shown(json)) : null;
};

const seen = (reply: Reply, json: Record<string, unknown> | null, asked: Asked) => {
  const { status, headers, ok } = reply.response;
  return {
    outcome: ok ? ('ok' as const) : ('failed' as const),
    status,
    code: typeof json?.code === 'string' ? json.code : null,
    requestId: headers.get('x-request-id'),
    charged: Number(headers.get('x-credits-charged') ?? 0),
    cache: headers.get('x-cache'),
    sha256: digestOf(reply, json, asked),
  };
};

const nothingSeen = {
  outcome: 'unknown' as const,
  status: null,
  requestId: null,
  charged: 0,
  cache: null,
  sha256: null,
};

/** Makes one call and writes down what its caller saw of it. */
export const makeCall = async (history: History, asked: Asked): Promise<CallAnswer> => {
  const at = history.now();
  let reason: string | null = null;
  const reply = await send(asked).catch((error: Error) => {
    reason = reasonOf(error);
    return null;
  });
  const json = reply && parse(reply);
  const record: CallRecord = {
    type: 'call',
    kind: asked.kind,
    at,
    ms: history.now() - at,
    about: asked.about,
    accountId: asked.accountId ?? null,
    keyId: asked.keyId ?? null,
    hot: asked.hot ?? false,
    ...(reply ? seen(reply, json, asked) : { ...nothingSeen, code: reason }),
  };
  history.add(record);
  return { record, headers: reply?.response.headers ?? new Headers(), json, body: reply?.body ?? null };
};
