import { createHash, randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InMemorySpanExporter } from '@opentelemetry/sdk-trace';
import { withSpan } from '@tds/base';
import { startTelemetry } from '@tds/base/internals';
import { defineContract, defineSurface } from '@tds/contracts';
import pg from 'pg';
import type { ObjectStore } from './object-store.ts';
import { createObjects } from './objects-config.ts';
import { CHUNK_BYTES } from './spool.ts';
import { describeObjects } from './test-support/conformance.ts';
import { startFakeS3 } from './test-support/fake-s3.ts';
import { createTestObjects, type TestObjects } from './testing/test-objects.ts';

/** What is promised of the store is promised to a service, whose role sees rows of its own keys alone. */
const keeper = defineSurface(defineContract('archiver', { objects: { tests: 'of this file' } }));

let database: TestObjects;
let databaseUrl: string;
let postgres: ObjectStore;
let fake: Awaited<ReturnType<typeof startFakeS3>>;
let s3: ObjectStore;

beforeAll(async () => {
  database = await createTestObjects([keeper]);
  databaseUrl = String(database.urlOf('archiver'));
  postgres = createObjects({ kind: 'postgres', databaseUrl });
  fake = await startFakeS3();
  s3 = createObjects({
    kind: 's3',
    bucket: 'transcripts',
    region: 'us-east-1',
    endpoint: fake.endpoint,
    credentials: { accessKeyId: 'id', secretAccessKey: 'key' },
    prefix: 'prod/',
  });
});
afterAll(async () => {
  await Promise.all([postgres.close(), s3.close()]);
  await Promise.all([fake.close(), database.drop()]);
});

describeObjects('objects in Postgres', () => postgres);
describeObjects('objects in S3', () => s3);

const MEBIBYTE = 1024 * 1024;

/** `size` bytes that are made as they are asked for, with their hash. */
const generated = (size: number) => {
  const piece = randomBytes(MEBIBYTE);
  const hash = createHash('sha256');
  for (let sent = 0; sent < size; sent += MEBIBYTE) hash.update(piece);
  function* pieces() {
    for (let sent = 0; sent < size; sent += MEBIBYTE) yield piece;
  }
  return { pieces, sha256: hash.digest('hex') };
};

/** Shows which statements the store has sent. */
const startTracing = async () => {
  const exporter = new InMemorySpanExporter();
  const telemetry = await startTelemetry({ service: 'test', exporter });
  const statements = () => exporter.getFinishedSpans().filter((span) => span.name.startsWith('postgres'));
  const starting = (text: string) =>
    statements().filter((span) => String(span.attributes['db.query.text']).startsWith(text)).length;
  const trace = {
    statements,
    inserts: () => starting('INSERT INTO object_chunks'),
    selects: () => starting('SELECT'),
    reset: () => exporter.reset(),
  };
  return { trace, stop: () => telemetry.stop() };
};

describe('objects in Postgres', () => {
  it('a small object takes one statement to write and one to read', async () => {
    const { trace, stop } = await startTracing();
    const statementsOf = async (work: () => Promise<unknown>) => {
      trace.reset();
      await withSpan('work', {}, work);
      return trace.statements().length;
    };
    expect(
      await statementsOf(() =>
        postgres.put('tests/small', Readable.from([Buffer.from('a'), Buffer.from('b')])),
      ),
    ).toBe(1);
    expect(await statementsOf(async () => buffer((await postgres.get('tests/small'))!))).toBe(1);
    expect(await statementsOf(() => postgres.getBytes('tests/small'))).toBe(1);
    expect(await statementsOf(() => postgres.findExisting(['tests/small', 'tests/not-there']))).toBe(1);
    await stop();
  });

  it('uploads made of stored objects never wait for each other, however few connections there are', async () => {
    const narrow = createObjects({ kind: 'postgres', databaseUrl, maxConnections: 1 });
    const piece = randomBytes(MEBIBYTE);
    await narrow.put('tests/piece', piece);
    const joined = () =>
      Readable.from(
        (async function* () {
          for (let turn = 0; turn < 3; turn++) yield* (await narrow.get('tests/piece'))!;
        })(),
      );
    const parts = ['tests/part-1', 'tests/part-2', 'tests/part-3', 'tests/part-4'];
    const stored = await Promise.all(parts.map((key) => narrow.put(key, joined())));
    expect(stored.map((part) => part.bytes)).toEqual(parts.map(() => 3 * MEBIBYTE));
    await narrow.close();
  });

  it('80 MiB stream in and out, never more than some chunks ahead of who takes them', async () => {
    const size = 80 * MEBIBYTE;
    const { pieces, sha256 } = generated(size);
    const { trace, stop } = await startTracing();
    let furthestAhead = 0;
    const source = function* () {
      let pulled = 0;
      for (const piece of pieces()) {
        pulled += piece.length;
        furthestAhead = Math.max(furthestAhead, pulled - trace.inserts() * CHUNK_BYTES);
        yield piece;
      }
    };
    const stored = await withSpan('put', {}, () => postgres.put('tests/large', Readable.from(source())));
    expect(stored).toEqual({ bytes: size, sha256 });
    expect(furthestAhead).toBeLessThan(24 * MEBIBYTE);

    expect(trace.inserts()).toBe(size / CHUNK_BYTES);

    trace.reset();
    const hash = createHash('sha256');
    let taken = 0;
    await withSpan('get', {}, async () => {
      for await (const piece of (await postgres.get('tests/large'))!) {
        hash.update(piece as Buffer);
        taken += (piece as Buffer).length;
        expect(trace.selects()).toBeLessThanOrEqual(3 + taken / (4 * CHUNK_BYTES));
      }
    });
    expect(hash.digest('hex')).toBe(sha256);
    expect(trace.selects()).toBeGreaterThan(size / (5 * CHUNK_BYTES));
    await stop();
  });

  it('a reader whose object is deleted on the way gets an error, never a short file', async () => {
    await postgres.put('tests/vanishing', randomBytes(30 * 256 * 1024));
    const stream = (await postgres.get('tests/vanishing'))!;
    const reading = (async () => {
      for await (const piece of stream) {
        expect(piece).toBeDefined();
        await postgres.delete('tests/vanishing');
      }
    })();
    await expect(reading).rejects.toThrow('object tests/vanishing was deleted while it was read');
  });

  it('a writer whose connection dies in the middle leaves nothing, and its source ends', async () => {
    const admin = new pg.Client({ connectionString: database.adminUrl });
    await admin.connect();
    const source = Readable.from(
      (async function* () {
        for (let piece = 0; ; piece++) {
          yield randomBytes(256 * 1024);
          if (piece < 4) continue;
          await admin.query(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction' AND application_name = 'objects' AND datname = current_database()`,
          );
        }
      })(),
    );
    await expect(postgres.put('tests/torn', source)).rejects.toThrow();
    expect(source.destroyed).toBe(true);
    expect(await postgres.stat('tests/torn')).toBeNull();
    const { rows } = await admin.query(
      `SELECT count(*)::int AS count FROM object_chunks WHERE key = 'tests/torn'`,
    );
    expect(rows).toEqual([{ count: 0 }]);
    await admin.end();
    await postgres.put('tests/torn', Buffer.from('second try'));
  });

  it('the running service may not change the tables', async () => {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    await expect(client.query('DROP TABLE objects CASCADE')).rejects.toThrow('must be owner');
    await client.end();
  });
});

describe('objects in S3', () => {
  it('keys are below the prefix, and a put is one conditional request', async () => {
    fake.requests.length = 0;
    await s3.put('one/key', Buffer.from('x'));
    expect(fake.requests).toEqual(['PUT /transcripts/prod/one/key']);
  });

  it('are looked for without being read, each once', async () => {
    const keys = Array.from({ length: 50 }, (_, n) => `looked/for/${n}`);
    await s3.putAll(keys.map((key) => ({ key, data: Buffer.from(key) })));
    fake.requests.length = 0;
    expect((await s3.findExisting(keys)).size).toBe(50);
    expect(new Set(fake.requests)).toEqual(new Set(keys.map((key) => `HEAD /transcripts/prod/${key}`)));
    expect(fake.requests).toHaveLength(50);
  });

  it('streams leave no temporary files, whether they succeed or fail', async () => {
    const files = () => readdirSync(tmpdir()).filter((name) => name.startsWith('tds-object-')).length;
    const before = files();
    await s3.put('spooled', Readable.from(generated(3 * MEBIBYTE).pieces()));
    const failing = new Readable({
      read() {
        this.destroy(new Error('gone'));
      },
    });
    await expect(s3.put('failing', failing)).rejects.toThrow('gone');
    expect(files()).toBe(before);
  });
});
