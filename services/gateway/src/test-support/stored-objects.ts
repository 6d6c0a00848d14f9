import { Readable } from 'node:stream';
import type { Objects } from '@tds/objects';

/** An object store that is a map. */
export const objectsIn = (
  files: Map<string, Buffer>,
): Pick<Objects, 'get' | 'getAll' | 'getBytes' | 'putAll'> => ({
  putAll: async (objects) => {
    for (const { key, data } of objects) files.set(key, files.get(key) ?? Buffer.from(data));
  },
  getBytes: async (key) => files.get(key) ?? null,
  getAll: async (keys) =>
    new Map(
      keys.flatMap((key) => {
        const file = files.get(key);
        return file ? [[key, file] as const] : [];
      }),
    ),
  get: async (key, range) => {
    const file = files.get(key);
    if (file === undefined) return null;
    const bytes = range ? file.subarray(range.start, range.start + range.bytes) : file;
    return Readable.from([bytes], { objectMode: false });
  },
});
