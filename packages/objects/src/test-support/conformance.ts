import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import type { ObjectStore } from '../object-store.ts';
import { CHUNK_BYTES } from '../spool.ts';

const sizes = [
  0,
  1,
  1_000,
  CHUNK_BYTES - 1,
  CHUNK_BYTES,
  CHUNK_BYTES + 1,
  5 * CHUNK_BYTES,
  9 * CHUNK_BYTES + 7,
];

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const newKey = (): string => `tests/${randomUUID()}`;

/** A stream of these bytes in odd pieces. */
const streamOf = (bytes: Buffer, pieceBytes = 100_003): Readable =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index) =>
      bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
    ),
  );

const read = async (store: ObjectStore, key: string): Promise<Buffer | null> => {
  const stream = await store.get(key);
  return stream && buffer(stream);
};

/** The promises of every object store. */
export const describeObjects = (name: string, openStore: () => ObjectStore): void => {
  describe(name, () => {
    it.each(sizes)('%i bytes come back as they were, from memory and from a stream', async (size) => {
      const store = openStore();
      const bytes = randomBytes(size);
      const stored = { bytes: size, sha256: sha256(bytes) };
      const [fromMemory, fromStream] = [newKey(), newKey()];
      expect(await store.put(fromMemory, bytes)).toEqual(stored);
      expect(await store.put(fromStream, streamOf(bytes))).toEqual(stored);
      for (const key of [fromMemory, fromStream]) {
        expect((await read(store, key))?.equals(bytes)).toBe(true);
        expect((await store.getBytes(key))?.equals(bytes)).toBe(true);
        expect(await store.stat(key)).toMatchObject(stored);
      }
    });

    it('stores several at once, whatever their sizes, and keeps what is there', async () => {
      const store = openStore();
      const before = { key: newKey(), data: randomBytes(10) };
      await store.put(before.key, before.data);
      const added = sizes.map((size) => ({ key: newKey(), data: randomBytes(size) }));
      await store.putAll([...added, { key: before.key, data: randomBytes(20) }]);
      for (const { key, data } of [...added, before]) {
        expect((await store.getBytes(key))?.equals(data)).toBe(true);
        expect(await store.stat(key)).toMatchObject({ bytes: data.length, sha256: sha256(data) });
      }
      await store.putAll([]);
    });

    it('of two at once that store the same objects, both end and one of each is kept', async () => {
      const store = openStore();
      const keys = [newKey(), newKey()];
      const objects = (order: string[]) => order.map((key) => ({ key, data: Buffer.from(key) }));
      await Promise.all(
        Array.from({ length: 10 }, (_, n) => store.putAll(objects(n % 2 ? keys : keys.toReversed()))),
      );
      for (const key of keys) expect((await store.getBytes(key))?.toString()).toBe(key);
    });

    it('reads several at once, each whole, and says nothing of what is not there', async () => {
      const store = openStore();
      const stored = sizes.map((size) => ({ key: newKey(), data: randomBytes(size) }));
      await store.putAll(stored);
      const keys = stored.map(({ key }) => key);
      const found = await store.getAll([...keys, newKey(), ...keys.slice(0, 2)]);
      expect([...found.keys()].toSorted()).toEqual(keys.toSorted());
      for (const { key, data } of stored) expect(found.get(key)?.equals(data)).toBe(true);
      expect((await store.getAll([])).size).toBe(0);
    });

    it('tells which of several are there, whatever their sizes, and which are not any more', async () => {
      const store = openStore();
      const stored = Array.from({ length: 40 }, (_, n) => ({
        key: newKey(),
        data: randomBytes(sizes[n % sizes.length] ?? 0),
      }));
      await store.putAll(stored);
      const [deleted = '', ...kept] = stored.map(({ key }) => key);
      await store.delete(deleted);
      const found = await store.findExisting([newKey(), ...kept, deleted, ...kept.slice(0, 2)]);
      expect([...found].toSorted()).toEqual(kept.toSorted());
      expect((await store.findExisting([])).size).toBe(0);
    });

    it.each(sizes)('any range of %i bytes is what lies there', async (size) => {
      const store = openStore();
      const key = newKey();
      const bytes = randomBytes(size);
      await store.put(key, bytes);
      const edges = [0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, 5 * CHUNK_BYTES + 3, size - 1, size, size + 10];
      for (const start of edges.filter((edge) => edge >= 0)) {
        for (const length of [0, 1, CHUNK_BYTES, size]) {
          const stream = await store.get(key, { start, bytes: length });
          if (stream === null) throw new Error('was not stored');
          expect((await buffer(stream)).equals(bytes.subarray(start, start + length))).toBe(true);
        }
      }
      expect(await store.get(newKey(), { start: 0, bytes: 1 })).toBeNull();
    });

    it('keeps the content type and the time', async () => {
      const store = openStore();
      const key = newKey();
      await store.put(key, Buffer.from('x'), { contentType: 'text/vtt' });
      const stat = await store.stat(key);
      expect(stat?.contentType).toBe('text/vtt');
      expect(Math.abs(Date.now() - (stat?.createdAt.getTime() ?? 0))).toBeLessThan(60_000);
    });

    it('what is not there is null, and deleting it is no error', async () => {
      const store = openStore();
      const key = newKey();
      expect([await store.get(key), await store.getBytes(key), await store.stat(key)]).toEqual([
        null,
        null,
        null,
      ]);
      await store.delete(key);
    });

    it.each([10, 3 * CHUNK_BYTES])('of a key that exists nothing is overwritten (%i bytes)', async (size) => {
      const store = openStore();
      const key = newKey();
      const first = randomBytes(size);
      await store.put(key, first);
      const source = streamOf(randomBytes(size));
      expect(await store.put(key, source)).toEqual({ bytes: size, sha256: sha256(first) });
      expect(await store.put(key, randomBytes(size))).toEqual({ bytes: size, sha256: sha256(first) });
      expect((await store.getBytes(key))?.equals(first)).toBe(true);
      expect(source.destroyed).toBe(true);
    });

    it.each([10, 3 * CHUNK_BYTES])(
      'of many puts of one key at the same time one is kept, and all tell which (%i bytes)',
      async (size) => {
        const store = openStore();
        const key = newKey();
        const results = await Promise.all(
          Array.from({ length: 8 }, () => store.put(key, streamOf(randomBytes(size)))),
        );
        const kept = await store.getBytes(key);
        expect(kept).toHaveLength(size);
        for (const result of results) expect(result).toEqual({ bytes: size, sha256: sha256(kept as Buffer) });
      },
    );

    it('a deleted object is gone, and its key can be used again', async () => {
      const store = openStore();
      const key = newKey();
      await store.put(key, randomBytes(2 * CHUNK_BYTES));
      await store.delete(key);
      expect(await store.getBytes(key)).toBeNull();
      await store.put(key, Buffer.from('again'));
      expect(String(await read(store, key))).toBe('again');
    });

    it.each([0, 1, 4 * CHUNK_BYTES])('a source that fails after %i bytes leaves nothing', async (size) => {
      const store = openStore();
      const key = newKey();
      const source = Readable.from(
        (async function* () {
          if (size > 0) yield randomBytes(size);
          throw new Error('upstream went away');
        })(),
      );
      await expect(store.put(key, source)).rejects.toThrow('upstream went away');
      expect([await store.getBytes(key), await store.stat(key)]).toEqual([null, null]);
      await store.put(key, Buffer.from('second try'));
      expect(String(await store.getBytes(key))).toBe('second try');
    });

    it('an object is not visible before its last byte', async () => {
      const store = openStore();
      const key = newKey();
      const seen: unknown[] = [];
      const source = Readable.from(
        (async function* () {
          for (let piece = 0; piece < 5; piece++) {
            yield randomBytes(CHUNK_BYTES);
            seen.push(await store.stat(key), await store.getBytes(key), await store.get(key));
          }
        })(),
      );
      await store.put(key, source);
      expect(seen).toEqual(Array(15).fill(null));
      expect(await store.stat(key)).toMatchObject({ bytes: 5 * CHUNK_BYTES });
    });

    it('a reader that stops half-way does no harm', async () => {
      const store = openStore();
      const key = newKey();
      const bytes = randomBytes(20 * CHUNK_BYTES);
      await store.put(key, bytes);
      for (let turn = 0; turn < 20; turn++) {
        const stream = await store.get(key);
        if (!stream) throw new Error('was not stored');
        for await (const piece of stream) if ((piece as Buffer).length > 0) break;
        await eventually(() => expect(stream.destroyed).toBe(true));
      }
      expect((await read(store, key))?.equals(bytes)).toBe(true);
    });

    it.each(['', '/a', 'a//b', 'a/../b', '..', 'a b', 'a\u0000', 'a\n', 'a?b', 'ü', 'x'.repeat(513)])(
      'the key %j is refused',
      async (key) => {
        const source = streamOf(Buffer.from('x'));
        await expect(openStore().put(key, source)).rejects.toThrow(TypeError);
        expect(source.destroyed).toBe(true);
      },
    );
  });
};
