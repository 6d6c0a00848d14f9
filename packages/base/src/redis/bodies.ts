import type { Projection } from '@tds/contracts';
import type { Redis } from 'ioredis';
import type { z } from 'zod';
import type { OnProjectionFailure } from './projections.ts';

/** Callers may invent keys of heads, so the size of one is bounded; a larger head is not kept. */
export const MAX_HEAD_BYTES = 4 * 1_024;

type KeyParts<P extends Projection> = Parameters<P['key']>;

/** A body under its one name: null if it is too large, and has to be read from the object store. */
type LinkedBody = {
  readonly projection: Projection;
  readonly keyParts: readonly string[];
  readonly body: Uint8Array | null;
};

type FoundBodies = {
  /** As JSON, unchecked. */
  readonly head: string;
  /** In the order of writing; null if one is not kept. */
  readonly bodies: readonly (Buffer | null)[];
};

/**
 * Bodies, and small heads that each lead to some of them, in a Redis of their own, which evicts the least recently read.
 * Many heads may share a body. Redis may be away at any time: then writes do nothing.
 */
export type Bodies = {
  write<Head extends Projection>(
    heads: Head,
    keyParts: KeyParts<Head>,
    head: z.input<Head['value']>,
    ...linked: readonly LinkedBody[]
  ): Promise<void>;
  /** Takes a head out. */
  forget<Head extends Projection>(heads: Head, keyParts: KeyParts<Head>): Promise<void>;
  /** The head under a key, then the bodies that it leads to. Throws if Redis does not answer. */
  read(headKey: string): Promise<FoundBodies | null>;
  /** Throws if Redis does not answer. */
  readBody<Body extends Projection>(projection: Body, keyParts: KeyParts<Body>): Promise<Buffer | null>;
};

/** A head is kept behind a line with the keys of its bodies. */
const LINE_END = 10;

const splitHead = (stored: Buffer | null): { bodyKeys: string[]; head: string } | null => {
  const end = stored?.indexOf(LINE_END) ?? -1;
  if (stored === null || end < 0) return null;
  return { bodyKeys: stored.toString('utf8', 0, end).split(' '), head: stored.toString('utf8', end + 1) };
};

export const createBodies = (redis: Redis, onFailure: OnProjectionFailure = () => {}): Bodies => {
  const keep = (key: string, value: string | Buffer, { ttlSeconds }: Projection): Promise<unknown> =>
    redis.set(key, value, 'EX', ttlSeconds);
  return {
    async write(heads, keyParts, head, ...linked) {
      const keys = linked.map(({ projection, keyParts: bodyParts }) => projection.key(...bodyParts));
      const value = `${keys.join(' ')}\n${JSON.stringify(head)}`;
      if (Buffer.byteLength(value) > MAX_HEAD_BYTES) return;
      try {
        // Sent together, the bodies first: a reader that finds the head finds them.
        await Promise.all([
          ...linked.map(
            ({ projection, body }, at) =>
              body &&
              keep(String(keys[at]), Buffer.from(body.buffer, body.byteOffset, body.length), projection),
          ),
          keep(heads.key(...(keyParts as readonly string[])), value, heads),
        ]);
      } catch (error) {
        // Swallowed on purpose: a reader that misses it calls a command, and work is never undone because of Redis.
        onFailure({ projection: heads.wireName, operation: 'write', error });
      }
    },
    async forget(heads, keyParts) {
      try {
        // A head without its line counts as absent. So a service that may write needs no other right.
        await redis.set(heads.key(...(keyParts as readonly string[])), '', 'EX', 1);
      } catch (error) {
        onFailure({ projection: heads.wireName, operation: 'write', error });
      }
    },
    async read(headKey) {
      const entry = splitHead(await redis.getBuffer(headKey));
      if (entry === null) return null;
      return {
        head: entry.head,
        bodies: await Promise.all(entry.bodyKeys.map((key) => redis.getBuffer(key))),
      };
    },
    readBody: (projection, keyParts) => redis.getBuffer(projection.key(...(keyParts as readonly string[]))),
  };
};
