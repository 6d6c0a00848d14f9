import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { routeTable } from '@tds/http-api';
import { workspaceRoot } from '@tds/servers';

/** Fields that say that an answer is not all. */
const MORE =
  /^(?:has_more|next|next_offset|next_passage|continuation|is_complete|omitted|unanswered|truncated|index)$/;

const fieldsOf = (schema: unknown, found = new Set<string>()): Set<string> => {
  if (schema === null || typeof schema !== 'object') return found;
  const { properties = {} } = schema as { properties?: object };
  for (const name of Object.keys(properties)) if (MORE.test(name)) found.add(name);
  for (const part of Object.values(schema)) fieldsOf(part, found);
  return found;
};

/** By the id of a route, in any of its answers. */
const fields = new Map(
  routeTable.flatMap(({ id, responses }) => {
    const schemas = Object.values(responses).flatMap(({ schema }) => schema ?? []);
    const found = new Set(
      schemas.flatMap((schema) => [...fieldsOf(schema.toJSONSchema({ io: 'input', unrepresentable: 'any' }))]),
    );
    return found.size > 0 ? [[id, [...found].toSorted()] as const] : [];
  }),
);

const read = (file: string): string => readFileSync(path.join(workspaceRoot, file), 'utf8');
const all = (pattern: string): string =>
  globSync(pattern, { cwd: workspaceRoot, exclude: ['**/*.test.ts', '**/generated/**', '**/test-support/**'] })
    .map(read)
    .join('\n');

/** Where each door has its code, and by what it is seen that it shows the answer of a route. */
const doors = {
  page: {
    code: all('packages/web/dashboard/src/**/*.{ts,tsx}'),
    shows: (id: string) => new RegExp(`Answer<'${id}'`),
  },
  'command line': {
    code: all('packages/clients/cli/src/**/*.ts'),
    shows: (id: string) => commands[id] ?? null,
  },
  SDK: {
    code: all('packages/clients/sdk/src/**/*.ts'),
    shows: (id: string) => new RegExp(`Answer<'${id}'`),
  },
  Python: {
    code: read('packages/clients/python/transcript_delivery.py'),
    shows: (id: string) => toPath(id),
  },
  assistants: {
    code: all('services/gateway/src/assistant/*.ts'),
    shows: (id: string) => new RegExp(`[rR]outes\\.${id}\\b`),
  },
};
type Door = keyof typeof doors;

const commands: Readonly<Record<string, RegExp>> = {
  searchLibrary: /library\.search\(/,
  listLibrary: /library\.list\(/,
  listVideos: /videos\.list\(/,
  searchPage: /client\(\)\.search\(/,
  listJobs: /jobs\.list\(/,
  createJob: /jobs\.create\(/,
  getJob: /jobs\.get\(/,
};

const toPath = (id: string): RegExp | null => {
  const row = routeTable.find((one) => one.id === id);
  return row ? new RegExp(`"${row.path.replaceAll(/\{\w+\}/g, '\\{_part\\([a-z_]+\\)\\}')}"`) : null;
};

/** How a field is said by each door: by its name, or as a part of what every list of the door says. */
const list = {
  page: /<Pager page=/,
  'command line': /\.last\b/,
  SDK: /this\.last = page/,
  Python: /page\["next"\]/,
  assistants: /total: count/,
};
const said: Readonly<Record<string, (door: Door) => RegExp>> = {
  has_more: (door) => list[door],
  next: (door) => list[door],
  continuation: () => /continuation/,
  next_offset: (door) =>
    door === 'page' ? /found\.total|total !== null/ : door === 'command line' ? list[door] : /next_offset/,
  is_complete: () => /\bis_complete\b/,
  index: () => /\bindexed\b|libraryIndex/,
  omitted: (door) => (door === 'SDK' ? list[door] : /\bomitted\b/),
};

/** Doors that show an answer, and leave a field of it out, each for its reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'page searchPage continuation': 'the dashboard searches no videos',
  'Python searchPage continuation': 'it iterates',
  'command line searchPage continuation': 'it iterates: --pages says how far',
};

describe('what an answer says of more than it shows', () => {
  it('is known for every field of every route', () => {
    expect([...fields].filter(([, names]) => names.some((name) => said[name] === undefined))).toEqual([]);
    expect(fields.get('searchLibrary')).toEqual(['has_more', 'index', 'is_complete', 'next']);
    expect(fields.get('getJob')).toEqual(['omitted']);
  });

  it.each(Object.keys(doors) as Door[])('is shown by the %s wherever that shows the answer', (door) => {
    const { code, shows } = doors[door];
    const missing = [...fields].flatMap(([id, names]) => {
      const trace = shows(id);
      if (trace === null || !trace.test(code)) return [];
      return names
        .filter((name) => said[name]?.(door).test(code) !== true)
        .map((name) => `${door} ${id} ${name}`)
        .filter((lack) => LEFT_OUT[lack] === undefined);
    });
    expect(missing).toEqual([]);
  });
});
