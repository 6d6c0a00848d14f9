import { Readable } from 'node:stream';
import { createSingleFlight } from '@tds/base';

export type StoredObject = {
  readonly bytes: number;
  /** Of the bytes, in hex. */
  readonly sha256: string;
};

export type ObjectStat = StoredObject & {
  readonly contentType: string | null;
  readonly createdAt: Date;
};

export type NewObject = { readonly key: string; readonly data: Uint8Array };

/** `bytes` of an object from `start` on; fewer if it ends before. */
export type ByteRange = { readonly start: number; readonly bytes: number };

/** Durable storage of bytes. A half-written object is never visible. */
export type Objects = {
  /**
   * Stores once: if the key exists, nothing is written and the answer describes what is there. A stream is always
   * used up or destroyed.
   */
  put(key: string, data: Uint8Array | Readable, options?: { contentType?: string }): Promise<StoredObject>;
  /** Stores several at once, each as `put` does; small ones are one round trip if the store can do that. */
  putAll(objects: readonly NewObject[]): Promise<void>;
  /** The bytes as they come, in bounded memory; the stream fails if the object vanishes on the way. */
  get(key: string, range?: ByteRange): Promise<Readable | null>;
  /** The bytes at once; for objects that are known to be small. */
  getBytes(key: string): Promise<Buffer | null>;
  /** Those of several small objects that exist, by their keys; one round trip if the store can do that. */
  getAll(keys: readonly string[]): Promise<ReadonlyMap<string, Buffer>>;
  /** Those of the keys under which there is an object; one round trip if the store can do that. */
  findExisting(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Deleting what is not there is no error. */
  delete(key: string): Promise<void>;
  stat(key: string): Promise<ObjectStat | null>;
};

/** A store with connections of its own, which end with `close`. */
export type ObjectStore = Objects & {
  /** The key prefixes that are hidden from this user. */
  hidden(prefixes: readonly string[]): Promise<readonly string[]>;
  close(): Promise<void>;
};

export type PostgresObjectsConfig = {
  readonly kind: 'postgres';
  readonly databaseUrl: string;
  readonly maxConnections?: number;
  /** For a statement; half a minute if nothing is said. */
  readonly answerWithinMs?: number;
};

export type S3ObjectsConfig = {
  readonly kind: 's3';
  readonly bucket: string;
  readonly region: string;
  /** For stores other than AWS. */
  readonly endpoint?: string | undefined;
  /** Without them the SDK uses its default sources. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
  /** Put before every key. */
  readonly prefix?: string;
};

export type ObjectsConfig = PostgresObjectsConfig | S3ObjectsConfig;

const keyPattern = /^[A-Za-z0-9][\w.=+-]*(?:\/[\w.=+-]+)*$/;
const MAX_KEY_LENGTH = 512;

/** Letters, digits and `_ . = + -` in parts divided by `/`. Throws for anything else: keys are made by us. */
export const assertObjectKey = (key: string): void => {
  const isTraversal = key.split('/').some((part) => part === '.' || part === '..');
  if (key.length > MAX_KEY_LENGTH || isTraversal || !keyPattern.test(key)) {
    throw new TypeError(`not an object key: ${JSON.stringify(key.slice(0, MAX_KEY_LENGTH))}`);
  }
};

/** By the first parts of keys, as `rendered/`. A user may also read and delete what it may write. */
export type ObjectRights = { readonly writes: readonly string[]; readonly reads: readonly string[] };

const beginningOf = (key: string): string => key.slice(0, key.indexOf('/') + 1);

/**
 * The store for one service. Postgres shows nothing of what a service may not read, as if it were lost, and a bucket may be
 * open to all; here a key that the surface does not name is an error at once.
 */
export const withRights = (store: Objects, service: string, { writes, reads }: ObjectRights): Objects => {
  const keysIn = (prefixes: readonly string[], verb: string) => {
    const allowed = new Set(prefixes);
    return (key: string): string => {
      if (allowed.has(beginningOf(key))) return key;
      throw new TypeError(`${service} may not ${verb} the object ${key}`);
    };
  };
  const toRead = keysIn([...writes, ...reads], 'read');
  const toWrite = keysIn(writes, 'write');
  const toDelete = keysIn(writes, 'delete');
  return {
    put: async (key, data, options) => {
      try {
        toWrite(key);
      } catch (error) {
        if (data instanceof Readable) data.destroy();
        throw error;
      }
      return store.put(key, data, options);
    },
    putAll: async (objects) => {
      for (const { key } of objects) toWrite(key);
      return store.putAll(objects);
    },
    get: async (key, range) => store.get(toRead(key), range),
    getBytes: async (key) => store.getBytes(toRead(key)),
    getAll: async (keys) => store.getAll(keys.map(toRead)),
    findExisting: async (keys) => store.findExisting(keys.map(toRead)),
    delete: async (key) => store.delete(toDelete(key)),
    stat: async (key) => store.stat(toRead(key)),
  };
};

/**
 * The prefixes that the store hides from a service that should see them. Each question starts a new look, and is answered by what the previous look
 * has found: a store that is away or slow delays no caller and refuses nothing.
 */
export const watchHidden = async (
  store: Pick<ObjectStore, 'hidden'>,
  { writes, reads }: ObjectRights,
): Promise<() => readonly string[]> => {
  let refusals: readonly string[] = [];
  const flight = createSingleFlight<void>();
  const refresh = async (): Promise<void> => {
    const hidden = await store.hidden([...writes, ...reads]).catch(() => []);
    refusals = hidden.map((prefix) => `the object store shows nothing of ${prefix} to this service's role`);
  };
  const refreshOnce = () => flight('look', refresh);
  await refreshOnce();
  return () => {
    void refreshOnce();
    return refusals;
  };
};
