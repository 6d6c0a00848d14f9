import { setTimeout as delay } from 'node:timers/promises';
import type { Endpoints } from '@tds/local';
import { withClient } from '@tds/servers';
import { dueRows } from '@tds/test-kit';
import { type Customer, call, signUpAt } from '#support';

/** An answer of the service with its body as JSON; `text` if it is none. */
export type Answer = { readonly status: number; readonly body: Body; readonly text: string };
// biome-ignore lint/suspicious/noExplicitAny: the expectations read what each case is about
type Body = any;

/** Below what a new account may fetch on a day. */
const READS_PER_ACCOUNT = 20;
const MAX_POLLS = 120;
const MAX_RETRIES = 10;
const MAX_WAIT_SECONDS = 5;
const WATCHED_FOR_MS = 20_000;

type Gateway = Pick<Endpoints, 'gateway' | 'mailbox'>;

/** Accounts of new customers, each for a few reads, and their requests. */
const createAccounts = ({ gateway, mailbox }: Gateway) => {
  let reader: { customer: Customer; reads: number } | undefined;
  let accounts = 0;
  const createAccount = async (): Promise<Customer> => {
    accounts += 1;
    return signUpAt(gateway, String(mailbox), `customer@field-${Date.now()}-${accounts}.example`);
  };
  const takeReader = async (): Promise<Customer> => {
    if (reader === undefined || reader.reads >= READS_PER_ACCOUNT)
      reader = { customer: await createAccount(), reads: 0 };
    reader.reads += 1;
    return reader.customer;
  };
  const send = async (customer: Customer, path: string, init: RequestInit = {}, tries = 0): Promise<Answer> => {
    const headers = { authorization: `Bearer ${customer.key}`, 'content-type': 'application/json' };
    const answer = await call(`${gateway}${path}`, { ...init, headers: { ...headers, ...init.headers } });
    const body = parseBody(answer.text);
    // A busy machine says nothing about the case.
    const isBusy = body.code === 'service_unavailable' && tries < MAX_RETRIES;
    if (body.code !== 'rate_limit' && !isBusy) return { status: answer.status, text: answer.text, body };
    await delay((body.retry_after ?? 1) * 1_000);
    return send(customer, path, init, tries + 1);
  };
  return { createAccount, takeReader, send };
};

type Accounts = ReturnType<typeof createAccounts>;

const parseBody = (text: string): Body => {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
};

/** Repeats what is pending until it has an end. */
const settle = async ({ send }: Accounts, customer: Customer, path: string): Promise<Answer> => {
  let answer = await send(customer, path);
  for (let polls = 0; answer.status === 202 && polls < MAX_POLLS; polls += 1) {
    await delay(Math.min(answer.body.retry_after ?? 1, MAX_WAIT_SECONDS) * 1_000);
    answer = await send(customer, answer.body.poll_url ?? path);
  }
  return answer;
};

const post = ({ send }: Accounts, customer: Customer, path: string, body: object): Promise<Answer> =>
  send(customer, path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'idempotency-key': crypto.randomUUID() },
  });

const isUnderWay = (status: string | undefined): boolean =>
  status !== undefined && ['pending', 'running', 'creating', 'enumerating'].includes(status);

/** A list, or ids of videos. */
type JobInput = string | readonly string[];

/** A job, when it has ended or was refused. */
const runJobOf = async (accounts: Accounts, customer: Customer, input: JobInput): Promise<Answer> => {
  const asked = typeof input === 'string' ? { input } : { video_ids: input };
  let answer = await post(accounts, customer, '/v1/jobs', asked);
  for (let polls = 0; polls < MAX_POLLS && isUnderWay(answer.body.job?.status); polls += 1) {
    await delay(1_000);
    answer = await accounts.send(customer, `/v1/jobs/${answer.body.job.id}`);
  }
  return answer;
};

/** What a job delivered, in the words of its manifest. */
const runJobToManifest = async (accounts: Accounts, input: JobInput): Promise<Body> => {
  const customer = await accounts.createAccount();
  const { body } = await runJobOf(accounts, customer, input);
  return (await accounts.send(customer, `/v1/jobs/${body.job.id}/manifest`)).body;
};

/** The first match of words in the library of a customer who has received the video. */
const quote = async (accounts: Accounts, videoId: string, language: string, words: string): Promise<Body> => {
  const customer = await accounts.createAccount();
  await settle(accounts, customer, `/v1/transcript?video_id=${videoId}&language=${language}`);
  const search = `/v1/library/search?${new URLSearchParams({ q: words })}`;
  let answer = await accounts.send(customer, search);
  for (let polls = 0; polls < MAX_POLLS && !answer.body.results?.length; polls += 1) {
    await delay(500);
    answer = await accounts.send(customer, search);
  }
  return answer.body.results[0].match;
};

const databaseUrl = (postgres: string, service: string): string => {
  const database = new URL(postgres);
  database.pathname = `/${service.replaceAll('-', '_')}`;
  return database.href;
};

/** What a monitor is asked to watch: its address, the feed, and the pages of its list that change with that. */
type Watched = { readonly address: string; readonly source: string; readonly pages: readonly string[] };

/** A monitor with the account's webhook; `show` has the platform serve one of the case's feeds, and its check made. */
const watchSource = async (
  accounts: Accounts,
  { webhooks, postgres }: Endpoints,
  platform: string,
  { address, source, pages }: Watched,
) => {
  const customer = await accounts.createAccount();
  const webhook = { method: 'PUT', body: JSON.stringify({ url: `${webhooks}/hooks` }) };
  await accounts.send(customer, '/v1/webhooks', webhook);
  const created = await post(accounts, customer, '/v1/monitors', {
    [source.startsWith('PL') ? 'playlist' : 'channel']: address,
    auto_fetch: false,
  });
  const read = async (): Promise<Body> =>
    (await accounts.send(customer, `/v1/monitors/${created.body.monitor.id}`)).body.monitor;
  const tell = (control: string, body: object) =>
    call(`${platform}/_/${control}`, { method: 'POST', body: JSON.stringify(body) });
  const show = async (index: number, page = 0): Promise<Body> => {
    const before = await read();
    await tell('feed', { id: source, index });
    for (const browseId of pages) await tell('page', { browseId, index: page });
    await withClient(databaseUrl(postgres, 'monitor-scheduler'), async (client) => {
      await client.query(
        `UPDATE videos AS v SET ask_at = now() FROM feeds AS f
         WHERE f.source_id = $1 AND v.feed_id = f.id AND v.ask_at IS NOT NULL`,
        [source],
      );
      const waiting = dueRows('monitor-scheduler', (text, values) => client.query(text, values));
      await waiting.makeDue('feeds', { where: 'source_id = $1', values: [source] });
    });
    const isChecked = (now: Body) =>
      now.last_checked_at !== before.last_checked_at ||
      now.consecutive_failures !== before.consecutive_failures;
    let now = before;
    for (const end = Date.now() + WATCHED_FOR_MS; !isChecked(now) && Date.now() < end; now = await read())
      await delay(500);
    return now;
  };
  return { created, show };
};

/** Plays the part of customers against a running service whose platform serves the field cases. */
export type Player = ReturnType<typeof createPlayer>;

export const createPlayer = (endpoints: Endpoints, platform: string) => {
  const accounts = createAccounts(endpoints);
  const get = async (path: string, query: Record<string, string>): Promise<Answer> =>
    settle(accounts, await accounts.takeReader(), `${path}?${new URLSearchParams(query)}`);
  return {
    /** A transcript; `query` is the rest of its parameters. */
    read: (videoId: string, query: Record<string, string> = {}) =>
      get('/v1/transcript', { video_id: videoId, ...query }),
    facts: (input: string) => get('/v1/video', { input }),
    /** The first page of a listing. */
    list: (url: string, query: Record<string, string> = {}) => get('/v1/videos', { url, ...query }),
    search: (q: string) => get('/v1/search', { q }),
    resolve: async (text: string): Promise<Answer> =>
      post(accounts, await accounts.takeReader(), '/v1/videos/resolve', { text }),
    /** From now on the platform has another video of this id. */
    change: (id: string, video: object) =>
      call(`${platform}/_/video`, { method: 'POST', body: JSON.stringify({ id, video }) }),
    runJob: async (input: JobInput) => runJobOf(accounts, await accounts.createAccount(), input),
    runJobToManifest: (input: JobInput) => runJobToManifest(accounts, input),
    watchChannel: (channel: string) =>
      watchSource(accounts, endpoints, platform, { address: channel, source: channel, pages: [] }),
    watch: (address: string, source: string, pages: readonly string[]) =>
      watchSource(accounts, endpoints, platform, { address, source, pages }),
    quote: (videoId: string, language: string, words: string) => quote(accounts, videoId, language, words),
  };
};
