import type { z } from 'zod';
import type { ServiceName } from '../service-names.ts';

/** A read model that its owner keeps in Redis. Whatever it lacks, a command answers: it may vanish at any time. */
export type Projection<
  Key extends readonly string[] = readonly string[],
  Value extends z.ZodType = z.ZodType,
> = {
  readonly kind: 'projection';
  readonly owner: ServiceName;
  readonly name: string;
  readonly value: Value;
  /** The Redis key for these parts. */
  readonly key: (...parts: Key) => string;
  readonly ttlSeconds: number;
};

export function projection<const Key extends readonly string[], Value extends z.ZodType>(definition: {
  owner: ServiceName;
  name: string;
  keyParts: Key;
  value: Value;
  ttlSeconds: number;
}): Projection<{ readonly [Part in keyof Key]: string }, Value> {
  const { keyParts: _named, ...rest } = definition;
  return {
    kind: 'projection',
    ...rest,
    key: (...parts) => `${definition.owner}:${definition.name}:${parts.join(':')}`,
  };
}
