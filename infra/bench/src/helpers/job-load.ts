import { type IncomingMessage, request as send } from 'node:http';
import { withClient } from '@tds/servers';
import { serveHelper } from '../support/helper.ts';

/** Bulk jobs as a customer runs them: created over HTTP, and watched until they end. */

export type JobAsk = { readonly key: string; readonly videoIds: readonly string[] };
export type JobsOptions = { readonly port: number; readonly jobs: readonly JobAsk[] };

export type JobResult = {
  readonly id: string;
  readonly status: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly charged: number;
};

export type JobsResult = {
  /** From creating all of them to the arrival of the last event of the last one. */
  readonly wallMs: number;
  readonly jobs: readonly JobResult[];
};

export type ReadOptions = { readonly databaseUrl: string; readonly keys: readonly string[] };
export type ReadResult = { readonly wallMs: number; readonly bytes: number };

const CREATED = 202;
const OK = 200;
const FORMAT = 'srt';
const ENDED = ['completed', 'failed', 'cancelled'];

type Ask = { readonly port: number; readonly key: string; readonly path: string; readonly body?: unknown };

const respond = async ({ port, key, path, body }: Ask, status: number): Promise<IncomingMessage> => {
  const method = body === undefined ? 'GET' : 'POST';
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = send({ port, host: '127.0.0.1', path, method, headers }, resolve).once('error', reject);
  request.end(body === undefined ? undefined : JSON.stringify(body));
  const response = await promise;
  if (response.statusCode === status) return response;
  throw new Error(`${method} ${path} was answered ${response.statusCode}: ${await textOf(response)}`);
};

const textOf = async (response: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const piece of response.setEncoding('utf8')) text += piece;
  return text;
};

/** Returns the last event of a job's progress, which ends the stream. */
const lastEvent = async (ask: Ask): Promise<Omit<JobResult, 'id'>> => {
  const text = await textOf(await respond(ask, OK));
  const data = text.slice(text.lastIndexOf('\ndata: ') + '\ndata: '.length);
  const { status, counts, credits } = JSON.parse(data.slice(0, data.indexOf('\n')));
  return { status, counts, charged: credits.charged };
};

const finish = async (port: number, { key, videoIds }: JobAsk): Promise<JobResult> => {
  const body = { video_ids: videoIds, format: FORMAT };
  const created = await respond({ port, key, path: '/v1/jobs', body }, CREATED);
  const { job } = JSON.parse(await textOf(created));
  for (;;) {
    const last = await lastEvent({ port, key, path: `/v1/jobs/${job.id}/events` });
    if (ENDED.includes(last.status)) return { id: job.id, ...last };
  }
};

const run = async ({ port, jobs }: JobsOptions): Promise<JobsResult> => {
  const startedAt = performance.now();
  const ended = await Promise.all(jobs.map((job) => finish(port, job)));
  return { wallMs: performance.now() - startedAt, jobs: ended };
};

/** The peer of cached rows: reads the same objects, one after the other. */
const readAll = ({ databaseUrl, keys }: ReadOptions): Promise<ReadResult> =>
  withClient(databaseUrl, async (client) => {
    const text = 'SELECT data FROM object_chunks WHERE key = $1 ORDER BY seq';
    let bytes = 0;
    const startedAt = performance.now();
    for (const key of keys) {
      const { rows } = await client.query({ name: 'read', text, values: [key] });
      for (const { data } of rows) bytes += data.length;
    }
    return { wallMs: performance.now() - startedAt, bytes };
  });

serveHelper({ run, readAll });
