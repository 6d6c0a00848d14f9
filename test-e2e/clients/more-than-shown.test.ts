import { globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { routeTable } from '@tds/http-api';
import { workspaceRoot } from '@tds/servers';

/** Fields that say that an answer is not all. */
const MORE =
  /^(?:has_more|next|next_offset|next_passage|continuation|is_complete|omitted|unanswered|truncated|index)$/;

/** Fields beside a list that say nothing of what is not in it. A new one is added here, or to those that say so. */
const OTHER = new Set(
  `account accounts api_version archive_id as_of body bytes canary capacity channel_id channel_title checked_at contents counts created_at
  credits currency delivery description duration error error_class expires_at fallback feed_url fetched_at finished_at format formats
  found_at hint id job_id key_limit keys language latency limit limits list listed_at live_keys mail metadata monitor_id name new_fetches
  notify_email offset ok original_language pause_reason person person_id published_at query range receivers relay resumes_at scope seal selected
  source start started_at status support_email tags text thumbnail_url title total transcripts translatable translated translation
  usage_today video video_id view_count webhook`.split(/\s+/),
);

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly $ref?: string;
  readonly [part: string]: unknown;
};

/** The fields of all objects in a schema, and whether they stand beside a list of objects. */
const fieldsOf = (schema: Schema): (readonly [name: string, isBesideList: boolean])[] => {
  const defs = (schema.$defs ?? {}) as Readonly<Record<string, Schema>>;
  const inPlace = (one: Schema): Schema => (one.$ref ? (defs[one.$ref.split('/').at(-1) ?? ''] ?? one) : one);
  const choices = (one: Schema): Schema[] => [
    inPlace(one),
    ...[one.anyOf, one.oneOf, one.allOf].flatMap((many) => (many ?? []) as Schema[]).flatMap(choices),
  ];
  const isList = (one: Schema): boolean =>
    choices(one).some(({ items }) => items !== undefined && choices(items).some((item) => item.properties));
  const seen = new Set<unknown>();
  const walk = (part: unknown): (readonly [string, boolean])[] => {
    if (part === null || typeof part !== 'object' || seen.has(part)) return [];
    seen.add(part);
    const { properties = {} } = part as Schema;
    const hasList = Object.values(properties).some(isList);
    const own = Object.entries(properties).filter(([, field]) => !isList(field));
    return [...own.map(([name]) => [name, hasList] as const), ...Object.values(part).flatMap(walk)];
  };
  return walk(schema);
};

const schemasOf = ({ responses }: (typeof routeTable)[number]): Schema[] =>
  Object.values(responses).flatMap(({ schema }) =>
    schema ? [schema.toJSONSchema({ io: 'input', unrepresentable: 'any' }) as Schema] : [],
  );

/** By the id of a route, in any of its answers. */
const fields = new Map(
  routeTable.flatMap((row) => {
    const found = schemasOf(row).flatMap((schema) => fieldsOf(schema).map(([name]) => name));
    const more = [...new Set(found)].filter((name) => MORE.test(name)).toSorted();
    return more.length > 0 ? [[row.id, more] as const] : [];
  }),
);

const read = (file: string): string => readFileSync(path.join(workspaceRoot, file), 'utf8');
const all = (pattern: string): string =>
  globSync(pattern, { cwd: workspaceRoot, exclude: ['**/*.test.ts', '**/generated/**', '**/test-support/**'] })
    .map(read)
    .join('\n');

/** A client shows the answer of a route if it calls the method of the SDK. */
const calls = (id: string): RegExp | null => methods[id] ?? null;

/** Where each door has its code, and by what it is seen that it shows the answer of a route. */
const doors = {
  page: {
    code: all('packages/web/dashboard/src/**/*.{ts,tsx}'),
    shows: (id: string) => new RegExp(`Answer<'${id}'`),
  },
  'command line': {
    code: all('packages/clients/cli/src/**/*.ts'),
    shows: calls,
  },
  SDK: {
    code: all('packages/clients/sdk/src/**/*.ts'),
    shows: (id: string) => new RegExp(`Answer<'${id}'`),
  },
  Python: {
    code: read('packages/clients/python/transcript_delivery.py'),
    shows: (id: string) => toPath(id),
  },
  LangChain: { code: all('packages/clients/langchain/src/**/*.ts'), shows: calls },
  n8n: { code: all('packages/clients/n8n/src/**/*.ts'), shows: calls },
  assistants: {
    code: all('services/gateway/src/assistant/*.ts'),
    shows: (id: string) => new RegExp(`[rR]outes\\.${id}\\b`),
  },
};
type Door = keyof typeof doors;

const methods: Readonly<Record<string, RegExp>> = {
  searchLibrary: /library\s*\.search\(/,
  listLibrary: /library\s*\.list\(/,
  listVideos: /videos\s*\.list\(/,
  searchPage: /client(?:\(\))?\.search\(/,
  listJobs: /jobs\.list\(/,
  createJob: /jobs\.create\(/,
  getJob: /jobs\.get\(/,
  listJobVideos: /job\.videos\(/,
  listMonitors: /monitors\.list\(/,
  listMonitorVideos: /monitors\.videos\(/,
  listMonitorMatches: /monitors\.matches\(/,
  listRequests: /requests\.list\(/,
  listDeliveries: /webhooks\.deliveries\(/,
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
  LangChain: /inOrder\(job\.videos\(/,
  n8n: /read\('returnAll'\)/,
};
const said: Readonly<Record<string, (door: Door) => RegExp>> = {
  has_more: (door) => list[door],
  next: (door) => list[door],
  continuation: () => /continuation/,
  next_offset: (door) =>
    door === 'page'
      ? /found\.total|total !== null/
      : door === 'command line' || door === 'n8n'
        ? list[door]
        : /next_offset/,
  is_complete: () => /\bis_complete\b/,
  index: () => /\bindexed\b|libraryIndex/,
  omitted: (door) => (door === 'SDK' ? list[door] : /\bomitted\b/),
};

/** Doors that show an answer, and leave a field of it out, each for its reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'page searchPage continuation': 'the dashboard searches no videos',
  'Python searchPage continuation': 'it iterates',
  'command line searchPage continuation': 'it iterates: --pages says how far',
  'n8n searchPage continuation': 'it iterates: its number of pages says how far',
};

/** Each folder of a client, by the door that it is. */
const clients: Readonly<Record<string, Door>> = {
  cli: 'command line',
  langchain: 'LangChain',
  n8n: 'n8n',
  python: 'Python',
  sdk: 'SDK',
};

/** What tells of a job beside the answers of routes. */
const tellsOfJob = {
  'a manifest as CSV': ['packages/job-files/src/manifest.ts', 'services/gateway/src/routes/jobs/job-files.ts'],
  'a manifest in a ZIP': ['packages/job-files/src/archive-head.ts'],
  'the page of a ZIP': ['packages/job-files/src/index-page.ts'],
  'a document': ['packages/job-files/src/document.ts'],
  'a mail': ['services/identity/src/mails/event-mails.ts'],
  'an event': ['packages/contracts/src/webhook-dispatcher/webhook-events.ts'],
};

describe('what an answer says of more than it shows', () => {
  it('is known for every field of every route, also for a new one beside a list', () => {
    const unknown = routeTable.flatMap((row) =>
      schemasOf(row).flatMap((schema) =>
        fieldsOf(schema).flatMap(([name, isBesideList]) =>
          isBesideList && !MORE.test(name) && !OTHER.has(name) ? [`${row.id} ${name}`] : [],
        ),
      ),
    );
    expect(unknown).toEqual([]);
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

  it('is looked for in every client', () => {
    const folders = readdirSync(path.join(workspaceRoot, 'packages/clients'), { withFileTypes: true });
    const names = folders.filter((one) => one.isDirectory()).map(({ name }) => name);
    expect(names.filter((name) => clients[name] === undefined)).toEqual([]);
  });

  it.each(Object.entries(tellsOfJob))('is said by %s of a job', (_door, files) => {
    for (const file of files) expect(read(file)).toMatch(/\bomitted\b/);
  });
});
