import type { TranscriptLoaderOptions } from '../loader.ts';

export type Reply = { readonly status?: number; readonly body: unknown };

export const envelope = (errorClass: string, code: string, status: number): Reply => ({
  status,
  body: {
    ok: false,
    errorClass,
    code,
    message: `It is ${code}.`,
    retryable: false,
    docs_url: 'https://api.test/docs/errors',
    request_id: 'request-1',
  },
});

export const video = (id: string) => ({
  id,
  title: `Title of ${id}`,
  channel_title: 'Channel',
  published_at: '2026-01-15',
  duration: 65,
});

export const passage = (id: string, start: number, text: string) => ({
  start,
  end: start + 5,
  text,
  url: `https://www.youtube.com/watch?v=${id}&t=${start}s`,
});

/** Options for a loader of a service that answers a method and path so, and what it was asked. */
export const fakeService = (answer: (request: string, url: URL) => Reply) => {
  const sent: { readonly request: string; readonly query: string; readonly body: unknown }[] = [];
  const fetch = async (input: unknown, { method = 'GET', body }: RequestInit = {}): Promise<Response> => {
    const url = new URL(String(input));
    const request = `${method} ${url.pathname}`;
    sent.push({ request, query: url.search, body: typeof body === 'string' ? JSON.parse(body) : undefined });
    const reply = answer(request, url);
    const isText = typeof reply.body === 'string';
    return new Response(isText ? String(reply.body) : JSON.stringify(reply.body), {
      status: reply.status ?? 200,
    });
  };
  const connection = { apiKey: 'svc_live_test', baseUrl: 'https://api.test', maxRetries: 0, fetch };
  const withConnection = <Options extends object>(options: Options) =>
    ({ ...connection, ...options }) as Options & Pick<TranscriptLoaderOptions, 'apiKey'>;
  return { with: withConnection, sent };
};
