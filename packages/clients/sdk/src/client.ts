import type { Answer, Status } from './api.ts';
import { Connection, type RequestOptions } from './connection.ts';
import { environment } from './node.ts';
import { account, billing, connections, keys, requests, usage } from './resources/account.ts';
import { jobs } from './resources/jobs.ts';
import { library } from './resources/library.ts';
import { links } from './resources/links.ts';
import { monitors } from './resources/monitors.ts';
import { receivers } from './resources/receivers.ts';
import { transcripts } from './resources/transcripts.ts';
import { search, videos } from './resources/videos.ts';
import { webhooks } from './resources/webhooks.ts';

export type TranscriptsOptions = {
  /** Defaults to the environment variable TRANSCRIPTS_API_KEY. */
  readonly apiKey?: string | undefined;
  /** Defaults to the environment variable TRANSCRIPTS_BASE_URL, then to the page's own origin. Ends with or without `/v1`. */
  readonly baseUrl?: string | undefined;
  /** Further attempts after a lost connection or a retryable error: 4 by default, and at most. */
  readonly maxRetries?: number | undefined;
  /** For each attempt, 60,000 by default: the service waits 25 seconds for a transcript before it answers 202. */
  readonly timeoutMs?: number | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
};

const MAX_RETRIES = 4;
const TIMEOUT_MS = 60_000;

const pageOrigin = (): string | undefined => (globalThis as { location?: { origin: string } }).location?.origin;

/**
 * The address of the service without `/v1` and slashes at its end, because paths begin with `/v1`. Throws a TypeError for what is no
 * address, so a mistake shows at once and not as a lost connection.
 */
const baseAddress = (address: string): string => {
  const text = address.trim();
  const hint = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? '' : `: did you mean https://${text}?`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new TypeError(`baseUrl is no http or https address${hint || `: ${text}`}`);
  if (url.username || url.password || url.search || url.hash)
    throw new TypeError('baseUrl has a user, a query or a fragment: give the address alone');
  let path = url.pathname;
  while (path.endsWith('/')) path = path.slice(0, -1);
  if (path.endsWith('/v1')) path = path.slice(0, -'/v1'.length);
  while (path.endsWith('/')) path = path.slice(0, -1);
  return url.origin + path;
};

/** A client of the Transcript Delivery Service. Every method takes `signal` and `timeoutMs`, and throws a `TranscriptsError`. */
export class Transcripts {
  readonly transcripts: ReturnType<typeof transcripts>;
  readonly videos: ReturnType<typeof videos>;
  readonly search: ReturnType<typeof search>;
  readonly library: ReturnType<typeof library>;
  readonly links: ReturnType<typeof links>;
  readonly receivers: ReturnType<typeof receivers>;
  readonly jobs: ReturnType<typeof jobs>;
  readonly monitors: ReturnType<typeof monitors>;
  readonly webhooks: ReturnType<typeof webhooks>;
  readonly keys: ReturnType<typeof keys>;
  readonly connections: ReturnType<typeof connections>;
  readonly usage: ReturnType<typeof usage>;
  readonly requests: ReturnType<typeof requests>;
  readonly account: ReturnType<typeof account>;
  readonly billing: ReturnType<typeof billing>;
  readonly #connection: Connection;

  constructor({
    apiKey = environment('TRANSCRIPTS_API_KEY'),
    baseUrl = environment('TRANSCRIPTS_BASE_URL') ?? pageOrigin(),
    maxRetries = MAX_RETRIES,
    timeoutMs = TIMEOUT_MS,
    fetch = (input, init) => globalThis.fetch(input, init),
  }: TranscriptsOptions = {}) {
    if (!apiKey) throw new TypeError('Give apiKey, or set TRANSCRIPTS_API_KEY');
    if (!baseUrl) throw new TypeError('Give baseUrl, or set TRANSCRIPTS_BASE_URL');
    const connection = new Connection({
      apiKey,
      baseUrl: baseAddress(baseUrl),
      maxRetries: Math.min(maxRetries, MAX_RETRIES),
      timeoutMs,
      fetch,
    });
    this.#connection = connection;
    this.transcripts = transcripts(connection);
    this.videos = videos(connection);
    this.search = search(connection);
    this.library = library(connection);
    this.links = links(connection);
    this.receivers = receivers(connection);
    this.jobs = jobs(connection);
    this.monitors = monitors(connection);
    this.webhooks = webhooks(connection);
    this.keys = keys(connection);
    this.connections = connections(connection);
    this.usage = usage(connection);
    this.requests = requests(connection);
    this.account = account(connection);
    this.billing = billing(connection);
  }

  /** Whether new fetches work, with latencies. */
  status(options: RequestOptions = {}): Promise<Status> {
    return this.#connection.json({ ...options, path: '/v1/status' });
  }

  /** Dated changes of the API, newest first. */
  async changes(options: RequestOptions = {}): Promise<Answer<'listChanges'>['changes']> {
    return (await this.#connection.json<Answer<'listChanges'>>({ ...options, path: '/v1/changes' })).changes;
  }
}
