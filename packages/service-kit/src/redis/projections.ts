import type { Projection } from '@tds/contracts';
import type { Redis } from 'ioredis';
import type { z } from 'zod';
import { createKeepNewest } from './keep-newest.ts';
import { decodeProjection, encodeProjection } from './projection-codec.ts';

type KeyParts<P extends Projection> = Parameters<P['key']>;
type Given<P extends Projection> = z.input<P['value']>;
type Read<P extends Projection> = z.output<P['value']>;

/**
 * Read models in Redis. Redis may be away at any time: then writes do nothing and reads give null, never an error.
 */
export type Projections = {
  write<P extends Projection>(projection: P, keyParts: KeyParts<P>, value: Given<P>): Promise<void>;
  /** Does nothing where a newer version is kept already. Versions are whole numbers from 0. */
  writeIfNewer<P extends Projection>(
    projection: P,
    keyParts: KeyParts<P>,
    value: Given<P>,
    version: number,
  ): Promise<void>;
  /** Null where it is absent, unreadable or of another shape. */
  read<P extends Projection>(projection: P, keyParts: KeyParts<P>): Promise<Read<P> | null>;
  remove<P extends Projection>(projection: P, keyParts: KeyParts<P>): Promise<void>;
};

export type ProjectionFailure = {
  readonly projection: string;
  readonly operation: 'write' | 'read' | 'remove';
  readonly error: unknown;
};

/** Called whenever Redis did not answer: to be counted, not logged line by line. */
export type OnProjectionFailure = (failure: ProjectionFailure) => void;

const keyOf = (projection: Projection, keyParts: readonly unknown[]): string =>
  projection.key(...(keyParts as readonly string[]));

const assertVersion = (version: number): void => {
  if (!Number.isSafeInteger(version) || version < 0) throw new RangeError(`not a version: ${version}`);
};

export const createProjections = (redis: Redis, onFailure: OnProjectionFailure = () => {}): Projections => {
  const keepNewest = createKeepNewest(redis);
  async function attempt<T>(
    projection: Projection,
    operation: ProjectionFailure['operation'],
    work: () => Promise<T>,
  ): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      // Swallowed on purpose: what a projection lacks a command answers, and work is never undone for Redis' sake.
      onFailure({ projection: projection.wireName, operation, error });
      return null;
    }
  }
  return {
    write: async (projection, keyParts, value) => {
      const key = keyOf(projection, keyParts);
      const text = encodeProjection(value);
      await attempt(projection, 'write', () => redis.set(key, text, 'EX', projection.ttlSeconds));
    },
    writeIfNewer: async (projection, keyParts, value, version) => {
      assertVersion(version);
      const text = encodeProjection(value, version);
      const key = keyOf(projection, keyParts);
      const { ttlSeconds } = projection;
      await attempt(projection, 'write', () => keepNewest({ key, version, text, ttlSeconds }));
    },
    read: async (projection, keyParts) => {
      const text = await attempt(projection, 'read', () => redis.get(keyOf(projection, keyParts)));
      return text === null ? null : decodeProjection(projection, text);
    },
    remove: async (projection, keyParts) => {
      await attempt(projection, 'remove', () => redis.unlink(keyOf(projection, keyParts)));
    },
  };
};
