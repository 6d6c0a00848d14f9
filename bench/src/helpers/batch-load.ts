import { randomUUID } from 'node:crypto';
import { headers, type NatsConnection } from '@nats-io/nats-core';
import { type BatchOutcome, type BatchRow, type ReplyOf, transcriptFetcher } from '@tds/contracts';
import { withClient } from '@tds/servers';
import { connectOperator } from '../support/connect-operator.ts';
import { serveHelper } from '../support/helper.ts';

/** Batches of one account each, all sent at once, each again and again until all its rows have ended. */
export type BatchOptions = {
  readonly nats: string;
  readonly seed: string;
  /** The videos of each. */
  readonly batches: readonly (readonly string[])[];
};

export type BatchResult = {
  /** From sending all to the end of the last row. */
  readonly wallMs: number;
  readonly calls: number;
  readonly charged: number;
  /** Of all rows that were delivered. */
  readonly objectKeys: readonly string[];
  /** What became of the others, by code. */
  readonly failures: Readonly<Record<string, number>>;
};

export type ReadOptions = { readonly databaseUrl: string; readonly keys: readonly string[] };
export type ReadResult = { readonly wallMs: number; readonly bytes: number };

const WAIT_MS = 20_000;
const TIMEOUT_MS = WAIT_MS + 5_000;

const { subject } = transcriptFetcher.fetchTranscripts;

const send = async (
  connection: NatsConnection,
  accountId: string,
  rows: readonly BatchRow[],
): Promise<BatchOutcome[]> => {
  const sent = headers();
  sent.set('X-Request-Id', randomUUID());
  sent.set('X-Deadline-Ms', String(TIMEOUT_MS));
  const selection = { language: 'en', fallback: true, format: 'srt' };
  const caller = { accountId, keyId: accountId, tier: 'paid', accountCreatedAt: '2026-01-01T00:00:00.000Z' };
  const request = JSON.stringify({ ...selection, ...caller, rows, waitMs: WAIT_MS });
  const reply = await connection.request(subject, request, { timeout: TIMEOUT_MS, headers: sent });
  if (reply.headers?.get('Nats-Service-Error-Code')) {
    // As the owner of a job does: on a busy machine a database may be late.
    if (reply.string().includes('service_unavailable')) return [];
    throw new Error(`a batch failed: ${reply.string()}`);
  }
  return (reply.json() as ReplyOf<typeof transcriptFetcher.fetchTranscripts>).rows;
};

const run = async ({ nats, seed, batches }: BatchOptions): Promise<BatchResult> => {
  const connection = await connectOperator(nats, seed);
  const outcomes: BatchOutcome[] = [];
  let calls = 0;
  const finish = async (videoIds: readonly string[]): Promise<void> => {
    const accountId = randomUUID();
    let rows: BatchRow[] = videoIds.map((videoId) => ({ operationId: randomUUID(), videoId }));
    while (rows.length > 0) {
      const ended = await send(connection, accountId, rows);
      calls += 1;
      outcomes.push(...ended);
      const ids = new Set(ended.map(({ operationId }) => operationId));
      rows = rows.filter(({ operationId }) => !ids.has(operationId));
    }
  };
  const startedAt = performance.now();
  await Promise.all(batches.map(finish));
  const wallMs = performance.now() - startedAt;
  await connection.close();
  const delivered = outcomes.filter((row) => row.state === 'delivered');
  const failures: Record<string, number> = {};
  for (const row of outcomes)
    if (row.state !== 'delivered') failures[row.code] = (failures[row.code] ?? 0) + 1;
  return {
    ...{ wallMs, calls, failures },
    charged: delivered.reduce((total, { charge }) => total + charge, 0),
    objectKeys: delivered.map(({ objectKey }) => objectKey),
  };
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
