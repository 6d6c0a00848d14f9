import { type IncomingMessage, request as send } from 'node:http';
import { withClient } from '@tds/servers';
import { serveHelper } from '../support/helper.ts';

/** Bulk jobs as a customer runs them: created over HTTP, and watched until they end. */

export type JobRequest = { readonly key: string; readonly videoIds: readonly string[] };
export type JobsOptions = {
  readonly port: number;
  /** The state in which each row ends. */
  readonly kind: 'fetched' | 'cached';
  readonly jobs: readonly JobRequest[];
};

type JobResult = {
  readonly id: string;
  readonly status: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly charged: number;
};

export type JobsResult = {
  /** From creating all of them to the arrival of the last event of the last one. */
  readonly wallMs: number;
  readonly ids: readonly string[];
};

export type ReadOptions = { readonly databaseUrl: string; readonly keys: readonly string[] };

const CREATED = 202;
const OK = 200;
const FORMAT = 'srt';
const ENDED = ['completed', 'failed', 'cancelled'];

type HttpRequest = {
  readonly port: number;
  readonly key: string;
  readonly path: string;
  readonly body?: unknown;
};

const respond = async ({ port, key, path, body }: HttpRequest, status: number): Promise<IncomingMessage> => {
  const method = body === undefined ? 'GET' : 'POST';
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = send({ port, host: '127.0.0.1', path, method, headers }, resolve).once('error', reject);
  request.end(body === undefined ? undefined : JSON.stringify(body));
  const response = await promise;
  if (response.statusCode === status) return response;
  throw new Error(`${method} ${path} was answered ${response.statusCode}: ${await readText(response)}`);
};

const readText = async (response: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const piece of response.setEncoding('utf8')) text += piece;
  return text;
};

/** Returns the last event of a job's progress, which ends the stream. */
const lastEvent = async (ask: HttpRequest): Promise<Omit<JobResult, 'id'>> => {
  const text = await readText(await respond(ask, OK));
  const data = text.slice(text.lastIndexOf('\ndata: ') + '\ndata: '.length);
  const { status, counts, credits } = JSON.parse(data.slice(0, data.indexOf('\n')));
  return { status, counts, charged: credits.charged };
};

const finish = async (port: number, { key, videoIds }: JobRequest): Promise<JobResult> => {
  const body = { video_ids: videoIds, format: FORMAT };
  const created = await respond({ port, key, path: '/v1/jobs', body }, CREATED);
  const { job } = JSON.parse(await readText(created));
  for (;;) {
    const last = await lastEvent({ port, key, path: `/v1/jobs/${job.id}/events` });
    if (ENDED.includes(last.status)) return { id: job.id, ...last };
  }
};

/** Runs jobs at the same time. Throws unless every row ends and costs as expected. */
const run = async ({ port, kind, jobs }: JobsOptions): Promise<JobsResult> => {
  const startedAt = performance.now();
  const results = await Promise.all(jobs.map((job) => finish(port, job)));
  const wallMs = performance.now() - startedAt;
  const isRight = ({ status, counts, charged }: JobResult, rows = 0) =>
    status === 'completed' && counts[kind] === rows && charged === (kind === 'fetched' ? rows : 0);
  const wrong = results.find((job, at) => !isRight(job, jobs[at]?.videoIds.length));
  if (wrong) throw new Error(`a job whose rows should be ${kind}: ${JSON.stringify(wrong)}`);
  return { wallMs, ids: results.map(({ id }) => id) };
};

/** The peer of cached rows: reads the same objects, one after the other. Returns the milliseconds. */
const readAll = ({ databaseUrl, keys }: ReadOptions): Promise<number> =>
  withClient(databaseUrl, async (client) => {
    const text = 'SELECT data FROM object_chunks WHERE key = $1 ORDER BY seq';
    const startedAt = performance.now();
    for (const key of keys) await client.query({ name: 'read', text, values: [key] });
    return performance.now() - startedAt;
  });

serveHelper({ run, readAll });
