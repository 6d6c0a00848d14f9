import type { Projection } from '@tds/contracts';
import type { Redis } from 'ioredis';
import type { z } from 'zod';
import type { OnProjectionFailure } from './projections.ts';

/** Callers may invent keys of heads, so the size of one is bounded; a larger head is not kept. */
export const MAX_HEAD_BYTES = 4 * 1_024;

type KeyParts<P extends Projection> = Parameters<P['key']>;

/** A body under its one name: null if it is too large, and has to be read from the object store. */
type Linked<P extends Projection> = {
  readonly projection: P;
  readonly keyParts: KeyParts<P>;
  readonly body: Uint8Array | null;
};

type FoundBody = {
  /** As JSON, unchecked. */
  readonly head: string;
  readonly body: Buffer | null;
};

/**
 * Bodies, and small heads that lead to them, in a Redis of their own, which evicts the least recently read. Many
 * heads may share a body. Redis may be away at any time: then writes do nothing.
 */
export type Bodies = {
  write<Head extends Projection, Body extends Projection>(
    heads: Head,
    keyParts: KeyParts<Head>,
    head: z.input<Head['value']>,
    linked: Linked<Body>,
  ): Promise<void>;
  /** The head under a key, then the body that it leads to. Throws if Redis does not answer. */
  read(headKey: string): Promise<FoundBody | null>;
  /** Throws if Redis does not answer. */
  readBody<Body extends Projection>(projection: Body, keyParts: KeyParts<Body>): Promise<Buffer | null>;
};

/** A head is kept behind the key of its body, which ends with the line. */
const LINE_END = 10;

const splitHead = (kept: Buffer | null): { bodyKey: string; head: string } | null => {
  const end = kept?.indexOf(LINE_END) ?? -1;
  if (kept === null || end < 0) return null;
  return { bodyKey: kept.toString('utf8', 0, end), head: kept.toString('utf8', end + 1) };
};

export const createBodies = (redis: Redis, onFailure: OnProjectionFailure = () => {}): Bodies => {
  const keep = (key: string, value: string | Buffer, { ttlSeconds }: Projection): Promise<unknown> =>
    redis.set(key, value, 'EX', ttlSeconds);
  return {
    async write(heads, keyParts, head, { projection, keyParts: bodyParts, body }) {
      const bodyKey = projection.key(...(bodyParts as readonly string[]));
      const value = `${bodyKey}\n${JSON.stringify(head)}`;
      if (Buffer.byteLength(value) > MAX_HEAD_BYTES) return;
      const bytes = body && Buffer.from(body.buffer, body.byteOffset, body.length);
      try {
        // Sent together, the body first: a reader that finds the head finds the body.
        await Promise.all([
          bytes && keep(bodyKey, bytes, projection),
          keep(heads.key(...(keyParts as readonly string[])), value, heads),
        ]);
      } catch (error) {
        // Swallowed on purpose: a reader that misses it calls a command, and work is never undone because of Redis.
        onFailure({ projection: heads.wireName, operation: 'write', error });
      }
    },
    async read(headKey) {
      const found = splitHead(await redis.getBuffer(headKey));
      return found && { head: found.head, body: await redis.getBuffer(found.bodyKey) };
    },
    readBody: (projection, keyParts) => redis.getBuffer(projection.key(...(keyParts as readonly string[]))),
  };
};
