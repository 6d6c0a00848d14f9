import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import type { ObjectStore } from './object-store.ts';
import { createObjects } from './objects-config.ts';
import { startFakeS3 } from './test-support/fake-s3.ts';

const unavailable = { status: 503, code: 'SlowDown' };
const forbidden = { status: 403, code: 'AccessDenied' };
const bytes = Buffer.from('a transcript');

describe('a bucket that fails', () => {
  let fake: Awaited<ReturnType<typeof startFakeS3>>;
  let store: ObjectStore;
  beforeAll(async () => {
    fake = await startFakeS3();
    store = createObjects({
      ...{ kind: 's3', bucket: 'transcripts', region: 'us-east-1', endpoint: fake.endpoint },
      credentials: { accessKeyId: 'id', secretAccessKey: 'key' },
    });
  });
  afterAll(async () => {
    await store.close();
    await fake.close();
  });
  beforeEach(() => {
    fake.clear();
    fake.failures.length = 0;
    fake.requests.length = 0;
    fake.load.max = 0;
  });

  const reading = {
    get: (key: string) => store.get(key),
    'get of a range': (key: string) => store.get(key, { start: 1, bytes: 3 }),
    'get of nothing': (key: string) => store.get(key, { start: 1, bytes: 0 }),
    getBytes: (key: string) => store.getBytes(key),
    getAll: (key: string) => store.getAll([key]),
    existing: (key: string) => store.findExisting([key]),
    stat: (key: string) => store.stat(key),
  };

  it.each(Object.entries(reading))('is never taken for one without the object: %s', async (_name, read) => {
    await store.put('kept', bytes);
    fake.failures.push(forbidden);
    await expect(read('kept')).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
  });

  it.each(Object.entries(reading))('is retried if the store is overloaded: %s', async (_name, read) => {
    await store.put('kept', bytes);
    fake.requests.length = 0;
    fake.failures.push(unavailable, unavailable);
    await read('kept');
    expect(fake.requests).toHaveLength(3);
  });

  it('is given up after three tries', async () => {
    fake.failures.push(unavailable, unavailable, unavailable);
    await expect(store.getBytes('kept')).rejects.toMatchObject({ $metadata: { httpStatusCode: 503 } });
    expect(fake.requests).toHaveLength(3);
  });

  it('takes bytes in memory once more, and they are there whole', async () => {
    fake.failures.push(unavailable);
    expect(await store.put('kept', bytes)).toMatchObject({ bytes: bytes.length });
    expect(await store.getBytes('kept')).toEqual(bytes);
  });

  it('leaves a refused upload to its caller: nothing is stored, and its stream has ended', async () => {
    const source = Readable.from([bytes]);
    fake.failures.push(forbidden);
    await expect(store.put('kept', source)).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
    expect(source.destroyed).toBe(true);
    expect(await store.getBytes('kept')).toBeNull();
  });

  it('does not report an object as stored that another process stored and a third deleted since', async () => {
    fake.failures.push({ status: 412, code: 'PreconditionFailed' });
    await expect(store.put('kept', bytes)).rejects.toMatchObject({ $metadata: { httpStatusCode: 412 } });
  });

  it('fails all of several uploads for one that fails; what is done may be done again', async () => {
    const objects = ['a', 'b', 'c'].map((key) => ({ key, data: bytes }));
    fake.failures.push(forbidden);
    await expect(store.putAll(objects)).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
    await store.putAll(objects);
    expect((await store.findExisting(['a', 'b', 'c'])).size).toBe(3);
  });

  it('does not call deleted what it has not deleted', async () => {
    await store.put('kept', bytes);
    fake.failures.push(forbidden);
    await expect(store.delete('kept')).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
    expect(await store.getBytes('kept')).toEqual(bytes);
  });

  it('is asked for many objects side by side, and for no more at once than it can bear', async () => {
    const keys = Array.from({ length: 60 }, (_, n) => `looked/for/${n}`);
    const gate = Promise.withResolvers<void>();
    fake.load.gate = gate.promise;
    const looking = store.findExisting(keys);
    await eventually(() => expect(fake.load.now).toBe(16));
    gate.resolve();
    expect((await looking).size).toBe(0);
    expect(fake.requests).toHaveLength(60);
    expect(fake.load.max).toBe(16);
  });

  it('answers a range behind the end with nothing, and one of nothing without reading', async () => {
    await store.put('kept', bytes);
    fake.requests.length = 0;
    for (const range of [
      { start: bytes.length, bytes: 5 },
      { start: 3, bytes: 0 },
    ]) {
      const stream = await store.get('kept', range);
      expect(stream && (await buffer(stream)).length).toBe(0);
    }
    expect(fake.requests).toEqual(['GET /transcripts/kept', 'HEAD /transcripts/kept']);
  });

  it('was never opened by who only closes it', async () => {
    const config = {
      kind: 's3',
      bucket: 'transcripts',
      region: 'us-east-1',
      endpoint: fake.endpoint,
    } as const;
    await createObjects(config).close();
    expect(fake.requests).toEqual([]);
  });
});
