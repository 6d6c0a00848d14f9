import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { parseBody, parseQuery, readQuery } from './parse-fields.ts';
import { routes, routeTable } from './routes.ts';

const CHARACTERS = 16_000;
const REPEATED = [' ', 'a', 'A', '0', '-', '_', '.', ',', '/', '%', '@', '[', 'é', '\u200b', '😀'];
/** Of one character, and the same with an end that no rule accepts, so that a pattern tries all ways. */
const texts = REPEATED.flatMap((character) => {
  const text = character.repeat(CHARACTERS / character.length);
  return [text, `${text}\u0000`];
});

const cpuMs = (work: () => unknown): number => {
  const before = process.cpuUsage();
  try {
    work();
  } catch {
    // Refused.
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

const readings = 50;
const readingMs =
  cpuMs(() => {
    for (let time = 0; time < readings; time += 1) for (const text of texts) JSON.parse(JSON.stringify(text));
  }) /
  (readings * texts.length);
/** A pattern that is quadratic takes thousands of times as long as reading the text. */
const MOST_MS = 300 * readingMs;
/** The rest of the process works in the same time, so a slow one has to be slow three times. */
const isSlow = (work: () => unknown): boolean => [1, 2, 3].every(() => cpuMs(work) > MOST_MS);

const given = routeTable.flatMap((row) => [
  ...Object.entries(row.query).map(([name, { schema }]) => ({ where: `${row.id}?${name}`, schema })),
  ...Object.entries(row.body ?? {}).map(([name, { schema }]) => ({ where: `${row.id}.${name}`, schema })),
  ...Object.entries(row.params).map(([name, { schema }]) => ({ where: `${row.id}/${name}`, schema })),
]);

type Check = { readonly _zod: { readonly def: { check: string; format?: string; abort?: boolean } } };

/** The schemas inside of a schema, with itself. */
const within = (schema: z.ZodType): z.ZodType[] => {
  const parts: z.ZodType[] = [];
  const visit = (value: unknown): void => {
    if (value instanceof z.ZodType) parts.push(...within(value));
    else if (Array.isArray(value)) value.forEach(visit);
    else if (value !== null && typeof value === 'object') Object.values(value).forEach(visit);
  };
  visit(schema.def);
  return [schema, ...parts];
};

describe('a text of 16 KB', () => {
  it('costs no field more than a multiple of reading it', () => {
    const slow = given.filter(({ schema }) =>
      texts.some((text) =>
        [text, [text], { [text]: text }].some((value) => isSlow(() => schema.safeParse(value))),
      ),
    );
    expect(slow.map(({ where }) => where)).toEqual([]);
  });

  it('costs no query and no body more than a multiple of reading it, wherever it stands', () => {
    const slow = texts.filter((text) => {
      const searches = [text, `a=${text}`, new URLSearchParams({ [text]: text }).toString()];
      const bodies = [text, JSON.stringify({ [text]: text })];
      return (
        searches.some((search) => isSlow(() => parseQuery(routes.getTranscript, readQuery(search)))) ||
        bodies.some((body) => isSlow(() => parseBody(routes.createJob.body, body)))
      );
    });
    expect(slow).toEqual([]);
  });

  it('is refused by its length before a pattern meets it', () => {
    const late = given.flatMap(({ where, schema }) =>
      within(schema).flatMap((part) => {
        const checks = ((part.def as { checks?: readonly Check[] }).checks ?? []).map(({ _zod }) => _zod.def);
        const pattern = checks.findIndex(({ format }) => format === 'regex');
        const length = checks.findIndex(({ check }) => check === 'max_length');
        const isLate = pattern !== -1 && length !== -1 && !(length < pattern && checks[length]?.abort);
        return isLate ? [where] : [];
      }),
    );
    expect(late).toEqual([]);
  });
});
