import { jest } from '@jest/globals';
import type { ErrorBody } from '../api.ts';
import { Transcripts, type TranscriptsOptions } from '../index.ts';

export type SentRequest = {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: unknown;
  readonly signal: AbortSignal;
  /** Milliseconds since the first request, by the fake clock. */
  readonly atMs: number;
};
type Reply = Response | Error | ((request: SentRequest) => Response | Promise<Response>);

export const BASE_URL = 'https://api.test';

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

export const envelope = (over: Partial<ErrorBody> = {}): ErrorBody => ({
  ok: false,
  errorClass: 'UpstreamError',
  code: 'upstream_error',
  message: 'It failed.',
  retryable: true,
  docs_url: `${BASE_URL}/docs/errors#UpstreamError`,
  request_id: 'request-1',
  ...over,
});

/** A client of a service that gives these answers in turn, and the last one again. */
export const fakeService = (replies: readonly Reply[], options: TranscriptsOptions = {}) => {
  const sent: SentRequest[] = [];
  let startedAt: number | undefined;
  const fetch = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
    startedAt ??= Date.now();
    const request = {
      method: init.method ?? 'GET',
      url: new URL(String(input)),
      headers: new Headers(init.headers),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
      signal: init.signal as AbortSignal,
      atMs: Date.now() - startedAt,
    };
    const reply = replies[Math.min(sent.length, replies.length - 1)];
    sent.push(request);
    if (reply instanceof Error) throw reply;
    return typeof reply === 'function' ? reply(request) : (reply as Response).clone();
  };
  const client = new Transcripts({ apiKey: 'svc_live_test', baseUrl: BASE_URL, fetch, ...options });
  return { client, sent };
};

/** The outcome of a promise while the fake clock runs as far as it takes. */
export const settle = async <Value>(promise: Promise<Value>): Promise<Value> => {
  let ended = false;
  const settled = promise.finally(() => {
    ended = true;
  });
  settled.catch(() => {});
  for (let step = 0; step < 5_000 && !ended; step++) await jest.advanceTimersByTimeAsync(100);
  return settled;
};

/** The error that a promise rejects with. */
export const errorOfCall = async (promise: Promise<unknown>): Promise<unknown> => {
  const outcome = await settle(promise.then(() => undefined).catch((error: unknown) => ({ error })));
  if (!outcome) throw new Error('the call succeeded');
  return outcome.error;
};
