import { Transcripts } from '@transcript-delivery/sdk';
import { operations } from '../nodes/TranscriptDelivery/operations.ts';

type Sent = {
  readonly request: string;
  readonly query: object;
  readonly body: unknown;
  readonly key: string | null;
};

/** Runs an operation with the parameters of an item, against a service that gives these answers by `METHOD /path`. */
export const run = async (name: string, parameters: object, replies: Readonly<Record<string, unknown>>) => {
  const sent: Sent[] = [];
  const fetch = async (input: unknown, { method = 'GET', headers, body }: RequestInit = {}) => {
    const url = new URL(String(input));
    const request = `${method} ${url.pathname}`;
    const query = Object.fromEntries(url.searchParams);
    const key = new Headers(headers).get('idempotency-key');
    sent.push({ request, query, body: typeof body === 'string' ? JSON.parse(body) : undefined, key });
    const reply = replies[request];
    if (reply === undefined) throw new Error(`no answer was given for ${request}`);
    if (reply instanceof Response) return reply;
    return new Response(typeof reply === 'string' ? reply : JSON.stringify(reply));
  };
  const client = new Transcripts({
    apiKey: 'svc_live_test',
    baseUrl: 'https://api.test',
    maxRetries: 0,
    fetch,
  });
  const given: Record<string, unknown> = { ...parameters };
  const rows: unknown[] = [];
  const warnings: string[] = [];
  const context = {
    client,
    read: (parameter: string) => given[parameter] ?? '',
    signal: undefined,
    idempotencyKey: (body: object) => `key of ${JSON.stringify(body)}`,
    warn: (message: string) => {
      warnings.push(message);
    },
  };
  for await (const row of (await operations[name]?.(context)) ?? []) rows.push(row);
  return { rows, sent, warnings };
};
