import type { Readable } from 'node:stream';

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

/** `bytes` of an object from `start` on; fewer where it ends before. */
export type ByteRange = { readonly start: number; readonly bytes: number };

/** Where bytes are kept for good. A half-written object is never visible. */
export type Objects = {
  /**
   * Stores once: where the key exists nothing is written, and the answer tells what is there. A stream is always
   * used up or destroyed.
   */
  put(key: string, data: Uint8Array | Readable, options?: { contentType?: string }): Promise<StoredObject>;
  /** Stores several at once, each as `put` does; small ones are one round trip where the store can do that. */
  putAll(objects: readonly NewObject[]): Promise<void>;
  /** The bytes as they come, in bounded memory; the stream fails where the object vanishes on the way. */
  get(key: string, range?: ByteRange): Promise<Readable | null>;
  /** The bytes at once; for objects that are known to be small. */
  getBytes(key: string): Promise<Buffer | null>;
  /** Those of several small objects that exist, by their keys; one round trip where the store can do that. */
  getAll(keys: readonly string[]): Promise<ReadonlyMap<string, Buffer>>;
  /** Those of the keys under which there is an object; one round trip where the store can do that. */
  existing(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Deleting what is not there is no error. */
  delete(key: string): Promise<void>;
  stat(key: string): Promise<ObjectStat | null>;
};

/** A store with connections of its own, which end with `close`. */
export type ObjectStore = Objects & {
  /** Those beginnings of keys of which this user is shown nothing, whatever lies there. */
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
  /** Without them the SDK looks where it always does. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
  /** Put before every key. */
  readonly prefix?: string;
};

export type ObjectsConfig = PostgresObjectsConfig | S3ObjectsConfig;
