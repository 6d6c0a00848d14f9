import { z } from 'zod';

/** Booleans in query strings: exactly true, false, 1 or 0. */
export const queryBoolean = (byDefault: boolean) =>
  z
    .enum(['true', 'false', '1', '0'])
    .default(byDefault ? 'true' : 'false')
    .transform((text) => text === 'true' || text === '1');
