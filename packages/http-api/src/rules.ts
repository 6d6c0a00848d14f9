import { z } from 'zod';

/** Booleans in query strings: exactly true, false, 1 or 0; to readers of the API description they are booleans. */
export const queryBoolean = (byDefault: boolean) =>
  z
    .enum(['true', 'false', '1', '0'])
    .transform((text) => text === 'true' || text === '1')
    .default(byDefault)
    .meta({ type: 'boolean', enum: undefined, default: byDefault });

/** Whole numbers in query strings, as people write them; to readers of the API description they are integers. */
export const wholeNumber = (least: number, most: number, byDefault: number) =>
  z
    .string()
    .regex(/^(?:0|[1-9]\d{0,8})$/)
    .transform(Number)
    .refine((number) => number >= least && number <= most)
    .default(byDefault)
    .meta({ type: 'integer', pattern: undefined, minimum: least, maximum: most, default: byDefault });
