import type { Projection } from '@tds/contracts';
import type { Redis } from 'ioredis';
import type { z } from 'zod';
import { decodeProjection } from '../redis/projections.ts';

/** What Redis has of a projection; null if it is absent, unreadable or of another shape. */
export const readProjection = async <P extends Projection>(
  redis: Redis,
  projection: P,
  keyParts: Parameters<P['key']>,
): Promise<z.output<P['value']> | null> => {
  const text = await redis.get(projection.key(...(keyParts as string[])));
  return text === null ? null : decodeProjection(projection, text);
};
