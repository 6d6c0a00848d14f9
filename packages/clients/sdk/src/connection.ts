import { parseRetryAfter, readError } from './error-of.ts';
import { ApiError, ConnectionError, TranscriptsError } from './errors.ts';
import { type Answered, readAnswer } from './meta.ts';

/** What every method takes. */
export type RequestOptions = {
  /** Ends the request and all waiting. Work that the service has begun goes on. */
  readonly signal?: AbortSignal | undefined;
  /** For one attempt, until its answer has arrived; for downloads, between two pieces of the body. */
  readonly timeoutMs?: number | undefined;
};

/** What methods that create something take. */
export type CreateOptions = RequestOptions & {
  /** Defaults to a new UUID. Send your own to repeat a request after a crash without doing it twice. */
  readonly idempotencyKey?: string | undefined;
};

type QueryValue = string | number | boolean | null | undefined | readonly string[];

export type Call = RequestOptions & {
  readonly method?: 'POST' | 'PUT' | 'PATCH' | 'DELETE' | undefined;
  /** May carry a query, as the relative addresses in answers do. */
  readonly path: string;
  readonly query?: object | undefined;
  readonly body?: object | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The answer may be repeated without doing anything twice. Defaults to true for GET. */
  readonly repeatable?: boolean | undefined;
};

/** A call whose options are its query too, but for those of every method. */
export const queryCall = (path: string, { signal, timeoutMs, ...query }: RequestOptions): Call => ({
  signal,
  timeoutMs,
  path,
  query,
});

export type ConnectionOptions = {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly maxRetries: number;
  readonly timeoutMs: number;
  readonly fetch: typeof globalThis.fetch;
};

/** A Retry-After beyond this is the caller's decision, so the error is thrown at once. */
const MAX_RETRY_AFTER_SECONDS = 120;
const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 8_000;
const POLL_SECONDS = 2;
const ACCEPTED = 202;

type PolledResult<Result> =
  | { readonly result: Result; readonly pollAfter?: undefined; readonly path?: undefined }
  | { readonly result?: undefined; readonly pollAfter: number; readonly path: string | undefined };

/** Resolves after `ms`; rejects with the reason of the signal if it is aborted before. */
export const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });

/** Random, so that clients that failed together do not come back together. `retryAfter` is a lower bound, in seconds. */
export const backoffMs = (attempt: number, retryAfter = 0): number =>
  retryAfter * 1_000 + (0.5 + Math.random() / 2) * Math.min(FIRST_BACKOFF_MS * 2 ** attempt, MAX_BACKOFF_MS);

/** The HTTP side: addresses, the key, time limits, retries and polling. */
export class Connection {
  readonly #options: ConnectionOptions;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  get timeoutMs(): number {
    return this.#options.timeoutMs;
  }

  get maxRetries(): number {
    return this.#options.maxRetries;
  }

  /** The JSON body of an answer. */
  json<Body>(call: Call): Promise<Answered<Body>> {
    return this.#send(call, readAnswer<Body>);
  }

  async text(call: Call): Promise<string> {
    return this.#send(call, (response) => response.text());
  }

  /** Resolves when the headers have arrived; the body is not read yet. */
  stream(call: Call): Promise<Response> {
    return this.#send(call, async (response) => response);
  }

  /** Sends a request that creates something, with an Idempotency-Key, so that it may be repeated. */
  create<Body>({ idempotencyKey, ...call }: Call & CreateOptions): Promise<Answered<Body>> {
    const headers = { ...call.headers, 'Idempotency-Key': idempotencyKey ?? crypto.randomUUID() };
    return this.json({ method: 'POST', ...call, headers, repeatable: true });
  }

  /** Repeats a request while its answer is 202, at the address that the answer names, and reads the first other one. */
  async pollResult<Result>(call: Call, read: (response: Response) => Promise<Result>): Promise<Result> {
    for (let next = call; ; ) {
      const { result, pollAfter, path } = await this.#send<PolledResult<Result>>(next, async (response) =>
        response.status === ACCEPTED
          ? {
              pollAfter: parseRetryAfter(response) || POLL_SECONDS,
              path: ((await response.json()) as { poll_url?: string }).poll_url,
            }
          : { result: await read(response) },
      );
      if (pollAfter === undefined) return result;
      await sleep(pollAfter * 1_000, call.signal);
      // Only the first request rebuilds.
      next = path ? { ...next, path, query: {} } : { ...next, query: { ...next.query, rebuild: undefined } };
    }
  }

  async #send<Result>(call: Call, read: (response: Response) => Promise<Result>): Promise<Result> {
    const { maxRetries } = this.#options;
    for (let attempt = 0; ; attempt++) {
      call.signal?.throwIfAborted();
      try {
        return await this.#attempt(call, read);
      } catch (error) {
        if (attempt >= maxRetries || !mayRepeat(call, error)) throw error;
        await sleep(backoffMs(attempt, error.retryAfter), call.signal);
      }
    }
  }

  async #attempt<Result>(call: Call, read: (response: Response) => Promise<Result>): Promise<Result> {
    const { signal, timeoutMs = this.#options.timeoutMs } = call;
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    try {
      const { fetch } = this.#options;
      const response = await fetch(this.#url(call), {
        ...this.#init(call),
        signal: either(deadline.signal, signal),
      });
      if (!response.ok) throw await readError(response);
      return await read(response);
    } catch (cause) {
      if (cause instanceof TranscriptsError) throw cause;
      signal?.throwIfAborted();
      throw new ConnectionError('The service could not be reached', { cause });
    } finally {
      clearTimeout(timer);
    }
  }

  #url({ path, query = {} }: Call): URL {
    // The key goes nowhere else, whatever an answer names.
    if (!/^\/(?!\/)/.test(path)) throw new TranscriptsError(`${path} is not the service`);
    const url = new URL(this.#options.baseUrl + path);
    for (const [name, value] of Object.entries(query) as [string, QueryValue][])
      if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
    return url;
  }

  #init({
    method = 'GET',
    body,
    headers,
  }: { method?: string | undefined } & Omit<Call, 'method'>): RequestInit {
    return {
      method,
      // A session of the same site is not the key's business.
      credentials: 'omit',
      headers: {
        Authorization: `Bearer ${this.#options.apiKey}`,
        ...(body && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    };
  }
}

export const either = (timeout: AbortSignal, signal: AbortSignal | undefined): AbortSignal =>
  signal ? AbortSignal.any([timeout, signal]) : timeout;

const mayRepeat = ({ method, repeatable = !method }: Call, error: unknown): error is TranscriptsError =>
  repeatable &&
  (error instanceof ApiError || error instanceof ConnectionError) &&
  error.retryable &&
  (error.retryAfter ?? 0) <= MAX_RETRY_AFTER_SECONDS;
