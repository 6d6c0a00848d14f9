import { afterAll, describe, expect, it } from '@jest/globals';
import { createApiKey } from '@tds/contracts';
import { ServiceError } from '@tds/errors';
import { createStepCounter } from '@tds/jest';
import fc from 'fast-check';
import { z } from 'zod';
import { field } from '../define-route.ts';
import { routes } from '../routes/index.ts';
import { parseBody, parseQuery, splitQuery } from './parse-fields.ts';

const steps = createStepCounter<readonly string[]>(new URL('../test-support/works.ts', import.meta.url));
afterAll(steps.stop);

const messageOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof ServiceError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'ok';
};

const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
  return 'ok';
};

describe('splitQuery', () => {
  it.each(['%ed%a0%80', 'a%ff', '%c3', '%f8%88%80%80%80', '%E2%82'])(
    'reads a value that is no UTF-8 (%s) as what no rule accepts, and its neighbours as they are',
    (value) => {
      const { broken, whole, replaced } = splitQuery(`whole=%C3%A9&broken=${value}&replaced=%EF%BF%BD`);
      expect([typeof broken, whole, replaced]).toEqual(['object', 'é', '\ufffd']);
      expect(codeOf(() => parseQuery(routes.searchPage, splitQuery(`q=${value}`)))).toBe(
        'invalid_search_query',
      );
    },
  );

  it('reads a name once as text, and twice or with brackets as what no rule accepts', () => {
    expect({ ...splitQuery('a=1&b=2&b=3&c[]=4&d[x]=5&e=6&e[]=7') }).toEqual({
      a: '1',
      b: ['2', '3'],
      c: ['4'],
      d: ['5'],
      e: ['6', '7'],
    });
  });

  it.each(['api_key=x', 'KEY=x', 'token=', 'key[]=x', 'key[a]=x', '%6bey=x', '+key=x', 'Authorization=x'])(
    'refuses the name in %s',
    (search) => {
      expect(codeOf(() => splitQuery(search))).toBe('key_in_query_string');
    },
  );

  it('refuses a key wherever it hides', () => {
    const key = createApiKey();
    for (const search of [`x=${key}`, `x=a${key.toUpperCase()}`, `${key}=1`, `x[${key}]=1`, `x=%73vc_live_y`]) {
      expect(codeOf(() => splitQuery(search))).toBe('key_in_query_string');
    }
  });

  it.each(['key_id=x', 'keyword=x', 'tokens=x', 'continuation=x'])('lets %s pass', (search) => {
    expect(codeOf(() => splitQuery(search))).toBe('ok');
  });
});

describe('parseQuery', () => {
  const query = {
    first: field(z.enum(['a']).optional(), 'invalid_format', ''),
    second: field(z.string(), 'invalid_language', ''),
  };

  it('tells the first broken field in the order of the table', () => {
    expect(codeOf(() => parseQuery({ query, body: null }, { first: 'b' }))).toBe('invalid_format');
    expect(codeOf(() => parseQuery({ query, body: null }, { first: 'a' }))).toBe('invalid_language');
  });

  it('reads own properties only', () => {
    const inherited = { toString: field(z.undefined(), 'invalid_format', '') };
    expect(codeOf(() => parseQuery({ query: inherited, body: null }, {}))).toBe('ok');
  });

  it('gives a result or a code for any query string, never anything else', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('video_id', 'language', 'format', 'raw'), (value, name) => {
        const outcome = codeOf(() =>
          parseQuery(routes.getTranscript, splitQuery(`${name}=${encodeURIComponent(value.toWellFormed())}`)),
        );
        expect(['ok', `invalid_${name}`, 'key_in_query_string']).toContain(outcome);
      }),
    );
  });

  it.each([
    ['lang=es', 'There is no query parameter lang. Did you mean language?'],
    ['videoId=x', 'There is no query parameter videoId. Did you mean video_id?'],
    ['langauge=es', 'There is no query parameter langauge. Did you mean language?'],
    ['FORMAT=srt', 'There is no query parameter FORMAT. Did you mean format?'],
    ['zzzzzz=1', 'There is no query parameter zzzzzz. Known are video_id, '],
    ['__proto__=1', 'There is no query parameter __proto__. Known are '],
    ['constructor[x]=1', 'There is no query parameter constructor. Known are '],
  ])('refuses the unknown name in %s and names the nearest known one', (search, start) => {
    const given = splitQuery(`video_id=dQw4w9WgXcQ&${search}`);
    expect(messageOf(() => parseQuery(routes.getTranscript, given))).toContain(`unknown_parameter: ${start}`);
  });

  it.each(['%00=1', '=1', 's3cr3t=1', '<script>=1', `${'a'.repeat(5_000)}=1`, '%FF=1', '[x]=1'])(
    'refuses what cannot be a name without showing it again: %s',
    (search) => {
      expect(messageOf(() => parseQuery(routes.getTranscript, splitQuery(search)))).toBe(
        'unknown_parameter: A parameter or body field is not known here. Nothing was done.',
      );
    },
  );

  it('says that a field of the body belongs there', () => {
    expect(messageOf(() => parseQuery(routes.revokeKey, splitQuery('grace_period_hours=24')))).toContain(
      'grace_period_hours is a field of the JSON body',
    );
  });
});

describe('parseBody', () => {
  const fields = { name: field(z.string().optional(), 'invalid_key_name', '') };

  it.each(['[]', 'null', '1', '"x"', '{', '\ufeff{}', '{"a":1,}'])('refuses %j as invalid_json', (text) => {
    expect(codeOf(() => parseBody(fields, text))).toBe('invalid_json');
  });

  it.each([
    ['deep', `{"name":${'['.repeat(40)}${']'.repeat(40)}}`],
    ['full of values', `{"name":[${'1,'.repeat(20_000)}1]}`],
    ['full of names', JSON.stringify(Object.fromEntries(Array.from({ length: 9_000 }, (_, at) => [at, at])))],
  ])('refuses a body that is %s before it is parsed', (_, text) => {
    expect(messageOf(() => parseBody(fields, text))).toMatch(/^invalid_json: .* than any route takes\.$/);
  });

  it('counts nothing that stands in a text, whatever is escaped there', () => {
    const named = { name: field(z.string(), 'invalid_key_name', '') };
    for (const name of ['['.repeat(50_000), '\\"{'.repeat(20_000), '{\\', '"', '\\\\"[,:'.repeat(20_000)])
      expect(parseBody(named, JSON.stringify({ name }))).toEqual({ name });
  });

  const largest = 1_048_576;
  it.each([
    ['nested brackets', `{"text":${'['.repeat(largest / 2)}${']'.repeat(largest / 2)}}`],
    ['names', `{${Array.from({ length: 62_500 }, (_, at) => `"n${at}":1`).join(',')}}`],
    ['values', `[${'1,'.repeat(largest / 2)}1]`],
  ])('refuses 1 MiB of %s in a fraction of the steps that parsing takes', async (_, text) => {
    expect(codeOf(() => parseBody(fields, text))).toBe('invalid_json');
    // Parsing it would pass over the whole text.
    expect(await steps.count('body', [text])).toBeLessThan(text.length / 4);
  });

  it('refuses a field that is not known, and names the nearest that is', () => {
    const refused = (row: typeof routes.createKey | typeof routes.revokeKey, body: object) =>
      messageOf(() => parseBody(row.body, JSON.stringify(body)));
    expect(refused(routes.revokeKey, { grace_period: 24 })).toContain('Did you mean grace_period_hours?');
    expect(refused(routes.createKey, { name: 't2', daily_cap: 5 })).toContain('Did you mean daily_credit_cap?');
    expect(messageOf(() => parseBody(routes.revokeKey.body, '{"__proto__":{"a":1}}'))).toContain(
      'unknown_parameter',
    );
  });

  it('an empty body is one without fields, or says which are missing', () => {
    expect(parseBody(fields, '')).toEqual({ name: undefined });
    expect(messageOf(() => parseBody(routes.createKey.body, ''))).toBe(
      'invalid_json: The request has no body. Send a JSON object with name.',
    );
  });

  it('names the item of a list that is wrong, without showing it, and says that a list is asked for', () => {
    const refused = (videoIds: unknown) =>
      messageOf(() => parseBody(routes.createJob.body, JSON.stringify({ video_ids: videoIds })));
    expect(refused(['dQw4w9WgXcQ', 's3cr3t', null])).toMatch(
      /^invalid_video_id: .* video_ids\[1\] does not have that form\.$/,
    );
    expect(refused(['dQw4w9WgXcQ', 's3cr3t'])).not.toContain('s3cr3t');
    expect(refused('dQw4w9WgXcQ')).toMatch(/^invalid_video_id: video_ids is a list\. A video id has /);
  });

  it('gives any text a result or a code', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        expect(['ok', 'invalid_json', 'invalid_key_name', 'unknown_parameter']).toContain(
          codeOf(() => parseBody(fields, text)),
        );
      }),
    );
  });
});
