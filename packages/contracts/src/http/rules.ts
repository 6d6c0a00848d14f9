import { z } from 'zod';

/** Booleans in query strings: exactly true, false, 1 or 0; to readers of the API description they are booleans. */
export const queryBoolean = (byDefault: boolean) =>
  z
    .enum(['true', 'false', '1', '0'])
    .transform((text) => text === 'true' || text === '1')
    .default(byDefault)
    .meta({ type: 'boolean', enum: undefined, default: byDefault });
