import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@tds/contracts';
import { z } from 'zod';
import { createKeyRing, type RingKey } from '../keys/key-ring.ts';
import { Secret } from './config.ts';

const MAX_PORT = 65_535;
const unitsMs = { ms: 1, s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS } as const;

const durationPattern = /^(\d{1,12}(?:\.\d{1,6})?)(ms|s|m|h|d)?$/;

const hasProtocol = (text: string, protocols: readonly string[]): boolean => {
  const parsed = URL.parse(text);
  return parsed !== null && (protocols.length === 0 || protocols.includes(parsed.protocol.slice(0, -1)));
};

const urlText = (protocols: readonly string[]) =>
  z
    .string()
    .refine(
      (text) => hasProtocol(text, protocols),
      `expected a URL${protocols.length > 0 ? ` that starts with ${protocols.map((name) => `${name}://`).join(' or ')}` : ''}`,
    );

/** Marks a field that holds credentials: an installation keeps its variable among the secrets, never among the settings. */
export const confidential = <Field extends z.ZodType>(field: Field): Field =>
  field.meta({ confidential: true }) as Field;

/** A value that prints as [redacted]; `reveal()` gives it. */
export const secret = (options: { minLength?: number } = {}) =>
  confidential(
    z
      .string()
      .min(options.minLength ?? 1, `expected at least ${options.minLength ?? 1} characters`)
      .transform((value) => new Secret(value)),
  );

/** A URL, for instance `url('http', 'https')`. For one with credentials there is `secretUrl`. */
export const url = (...protocols: string[]) => urlText(protocols);

/** A URL to which paths are appended: without slashes at its end. */
export const baseUrl = (...protocols: string[]) =>
  urlText(protocols).transform((text) => text.replace(/(?<!\/)\/+$/, ''));

/** A URL that holds credentials: prints as [redacted]. */
export const secretUrl = (...protocols: string[]) =>
  confidential(urlText(protocols).transform((value) => new Secret(value)));

/** `a, b` as a list; blanks and empty entries are no part of it. */
export const commaSeparated = () =>
  z.string().transform((text) =>
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  );

/** 0 takes any free port. */
export const port = () =>
  z
    .string()
    .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= MAX_PORT, 'expected a port from 0 to 65535')
    .transform(Number);

/** `250`, `250ms`, `30s`, `5m`, `2h` or `1d`, as milliseconds. */
export const durationMs = () =>
  z.string().transform((text, context) => {
    const [, amount, unit = 'ms'] = durationPattern.exec(text) ?? [];
    if (amount !== undefined) return Number(amount) * unitsMs[unit as keyof typeof unitsMs];
    context.addIssue('expected a duration such as 250ms, 30s, 5m, 2h or 1d');
    return z.NEVER;
  });

/** A whole number within bounds. */
export const wholeNumber = (options: { min?: number; max?: number } = {}) => {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = options;
  return z
    .string()
    .refine(
      (text) => /^-?\d{1,16}$/.test(text) && Number(text) >= min && Number(text) <= max,
      `expected a whole number from ${min} to ${max}`,
    )
    .transform(Number);
};

/** `true`, `1`, `yes`, `on` or `false`, `0`, `no`, `off`. */
export const booleanFlag = () =>
  z.string().transform((text, context) => {
    const word = text.toLowerCase();
    if (['true', '1', 'yes', 'on'].includes(word)) return true;
    if (['false', '0', 'no', 'off'].includes(word)) return false;
    context.addIssue('expected true or false');
    return z.NEVER;
  });

const KEY_SECRET_CHARACTERS = 32;
const ringKeyPattern = new RegExp(`^([a-z0-9-]{1,16}):(.{${KEY_SECRET_CHARACTERS},})$`);

/** `id:secret` of each key, separated by commas: the first signs, all verify. */
export const keyRing = () =>
  confidential(
    commaSeparated().transform((entries, context) => {
      const keys = entries.flatMap((entry): RingKey[] => {
        const [, id = '', secret = ''] = ringKeyPattern.exec(entry) ?? [];
        return secret === '' ? [] : [{ id, secret }];
      });
      const [first, ...more] = keys;
      const areAll = keys.length === entries.length && new Set(keys.map(({ id }) => id)).size === keys.length;
      if (first !== undefined && areAll) return createKeyRing([first, ...more]);
      context.addIssue(
        `expected id:secret for each key, separated by commas: ids of a-z, 0-9 and -, each once; secrets of at least ${KEY_SECRET_CHARACTERS} characters`,
      );
      return z.NEVER;
    }),
  );
