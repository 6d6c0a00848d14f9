import { createHash } from 'node:crypto';
import type { CallKind, CallRecord, History } from '../history.ts';

/** Longer than any answer may take: 25 s of waiting and a few hops. */
const PATIENCE_MS = 35_000;

export type Asked = {
  readonly kind: CallKind;
  readonly url: string;
  readonly about: string;
  readonly accountId?: string | null;
  readonly keyId?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly hot?: boolean;
};

export type Told = {
  readonly record: CallRecord;
  readonly headers: Headers;
  /** The body where it is JSON. */
  readonly json: Record<string, unknown> | null;
};

type Reply = { readonly response: Response; readonly text: string };

const send = async ({ url, headers = {}, body }: Asked): Promise<Reply | null> => {
  try {
    const response = await fetch(url, {
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: body ? { ...headers, 'content-type': 'application/json' } : headers,
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    });
    return { response, text: await response.text() };
  } catch {
    return null; // refused, reset or timed out: nobody knows what became of it
  }
};

const parse = ({ response, text }: Reply): Record<string, unknown> | null =>
  response.headers.get('content-type')?.includes('json')
    ? (JSON.parse(text) as Record<string, unknown>)
    : null;

const seen = (reply: Reply, json: Record<string, unknown> | null) => {
  const { status, headers, ok } = reply.response;
  const isFile = ok && json === null && reply.text !== '';
  return {
    outcome: ok ? ('ok' as const) : ('failed' as const),
    status,
    code: typeof json?.code === 'string' ? json.code : null,
    requestId: headers.get('x-request-id'),
    charged: Number(headers.get('x-credits-charged') ?? 0),
    cache: headers.get('x-cache'),
    sha256: isFile ? createHash('sha256').update(reply.text).digest('hex') : null,
  };
};

const nothingSeen = {
  outcome: 'unknown' as const,
  status: null,
  code: null,
  requestId: null,
  charged: 0,
  cache: null,
  sha256: null,
};

/** Makes one call and writes down what its caller saw of it. */
export const makeCall = async (history: History, asked: Asked): Promise<Told> => {
  const at = history.now();
  const reply = await send(asked);
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
    ...(reply ? seen(reply, json) : nothingSeen),
  };
  history.add(record);
  return { record, headers: reply?.response.headers ?? new Headers(), json };
};
