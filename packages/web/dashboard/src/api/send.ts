import type { ErrorBody } from '@transcript-delivery/sdk';

/** A refusal of the API, or a request that got no answer. Every page shows it in the same words. */
export class Refusal extends Error {
  readonly body: ErrorBody;

  constructor(body: ErrorBody) {
    super(body.message);
    this.body = body;
  }
}

/** What a page shows if no answer of the API came; its code is one of the API. */
const unreachable: ErrorBody = {
  ok: false,
  errorClass: 'UpstreamError',
  code: 'service_unavailable',
  message: 'The service cannot be reached. What you entered is still here.',
  retryable: true,
  docs_url: '/docs/errors#UpstreamError',
  request_id: '',
};

type SendOptions = {
  readonly body?: object | undefined;
  /** One value for one intention, so that a second press or a lost answer creates nothing twice. */
  readonly once?: string | undefined;
  /** Sent as Bearer, without the session. */
  readonly key?: string | undefined;
  readonly signal?: AbortSignal | undefined;
};

const headersOf = ({ body, once, key }: SendOptions): Record<string, string> => ({
  // No page of another site can send this header, so a change with a session is the customer's own.
  ...(key ? { Authorization: `Bearer ${key}` } : { 'X-Service-Dashboard': '1' }),
  ...(body && { 'Content-Type': 'application/json' }),
  ...(once && { 'Idempotency-Key': once }),
});

const attempt = async (method: string, path: string, options: SendOptions): Promise<Response> => {
  const { body, key, signal } = options;
  const response = await fetch(path, {
    method,
    headers: headersOf(options),
    credentials: key ? 'omit' : 'same-origin',
    ...(signal && { signal }),
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => null);
  if (response === null) throw new Refusal(unreachable);
  if (response.ok) return response;
  throw new Refusal(((await response.json().catch(() => null)) as ErrorBody | null) ?? unreachable);
};

const REPEATS = 2;
const SECOND_MS = 1_000;
const MAX_WAIT_SECONDS = 5;

/** The seconds after which a refused request is repeated; null if its repetition is the customer's decision. */
export const repeatAfter = (error: unknown, repeats: number): number | null => {
  if (!(error instanceof Refusal) || !error.body.retryable || repeats >= REPEATS) return null;
  // Without a request id no answer came: the customer presses again when the network is back.
  const seconds = error.body.retry_after ?? 1;
  return error.body.request_id !== '' && seconds <= MAX_WAIT_SECONDS ? seconds : null;
};

/** The answer of a request, whatever its type. Repeats one with `once` if the service is busy. Throws a `Refusal`. */
export const fetchAnswer = async (
  method: string,
  path: string,
  options: SendOptions = {},
): Promise<Response> => {
  for (let repeats = 0; ; repeats++) {
    try {
      return await attempt(method, path, options);
    } catch (error) {
      const seconds = options.once === undefined ? null : repeatAfter(error, repeats);
      if (seconds === null) throw error;
      await new Promise((resolve) => setTimeout(resolve, seconds * SECOND_MS));
    }
  }
};

/** The JSON of an answer; undefined if it has no body. Throws a `Refusal`. */
export const send = async <Body>(method: string, path: string, options?: SendOptions): Promise<Body> => {
  const response = await fetchAnswer(method, path, options);
  const text = await response.text().catch(() => {
    throw new Refusal(unreachable);
  });
  return (text === '' ? undefined : JSON.parse(text)) as Body;
};

export const get = <Body>(path: string, signal?: AbortSignal): Promise<Body> =>
  send<Body>('GET', path, { signal });

/** Without a cookie the API asks for a key, with an ended one for a session; in a browser both mean the same. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof Refusal && ['missing_api_key', 'session_required'].includes(error.body.code);

/** A part of a page that is not for the role of the person. */
export const isBeyondRole = (error: unknown): boolean =>
  error instanceof Refusal && error.body.code === 'role_required';
