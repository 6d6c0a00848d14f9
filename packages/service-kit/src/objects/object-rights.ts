import { Readable } from 'node:stream';
import type { Objects } from './object-store.ts';

/** By the first parts of keys, as `rendered/`. What one may write, one may also read and delete. */
export type ObjectRights = { readonly writes: readonly string[]; readonly reads: readonly string[] };

const beginningOf = (key: string): string => key.slice(0, key.indexOf('/') + 1);

/**
 * The store for one service. Postgres shows nothing of what a service may not read, as if it were lost, and a bucket may be
 * open to all; here a key that the surface does not name is an error at once.
 */
export const withRights = (store: Objects, service: string, { writes, reads }: ObjectRights): Objects => {
  const written = new Set(writes);
  const read = new Set([...writes, ...reads]);
  const assertIn = (allowed: ReadonlySet<string>, verb: string, key: string): void => {
    if (!allowed.has(beginningOf(key))) throw new TypeError(`${service} may not ${verb} the object ${key}`);
  };
  return {
    put: async (key, data, options) => {
      try {
        assertIn(written, 'write', key);
      } catch (error) {
        if (data instanceof Readable) data.destroy();
        throw error;
      }
      return store.put(key, data, options);
    },
    putAll: async (objects) => {
      for (const { key } of objects) assertIn(written, 'write', key);
      return store.putAll(objects);
    },
    get: async (key, range) => {
      assertIn(read, 'read', key);
      return store.get(key, range);
    },
    getBytes: async (key) => {
      assertIn(read, 'read', key);
      return store.getBytes(key);
    },
    getAll: async (keys) => {
      for (const key of keys) assertIn(read, 'read', key);
      return store.getAll(keys);
    },
    existing: async (keys) => {
      for (const key of keys) assertIn(read, 'read', key);
      return store.existing(keys);
    },
    delete: async (key) => {
      assertIn(written, 'delete', key);
      return store.delete(key);
    },
    stat: async (key) => {
      assertIn(read, 'read', key);
      return store.stat(key);
    },
  };
};
