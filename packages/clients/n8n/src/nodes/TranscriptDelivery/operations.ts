import type { Body, Job, NewJob, Transcripts, WaitOptions } from '@transcript-delivery/sdk';

/** What an operation works with: a client, the parameters of one item (empty if hidden), and a signal for the end of the execution. */
export type OperationContext = {
  readonly client: Transcripts;
  readonly read: (parameter: string) => unknown;
  readonly signal: AbortSignal | undefined;
  /** The same for the same job in one execution, so a retry of the node begins no second one. */
  readonly idempotencyKey: (body: object) => string;
  /** Shown beside the items of the node. */
  readonly warn: (message: string) => void;
};
type Rows = AsyncIterable<object> | Promise<readonly object[]>;
type Operation = (context: OperationContext) => Rows;

const MS_PER_MINUTE = 60_000;
const PASSAGES = 'passages';

const text = (value: unknown): string => String(value ?? '').trim();

/** Without what was left empty, so that the defaults of the service hold. */
const withoutEmpty = <Given extends object>(values: Given) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== '')) as {
    [Name in keyof Given]?: Exclude<Given[Name], undefined | ''>;
  };

const optionsOf = ({ read }: OperationContext) => (read('options') || {}) as Record<string, unknown>;

/** Ids or addresses, one a line or with commas between, or a list by an expression. */
const toList = (value: unknown): string[] =>
  (Array.isArray(value) ? value.map(text) : text(value).split(/[\s,]+/)).filter((one) => one !== '');

const getTranscript: Operation = async (context) => {
  const { client, read, signal } = context;
  const { passageCharacters, ...options } = optionsOf(context);
  const video = text(read('video'));
  const choice = withoutEmpty({ ...options, language: text(read('language')), signal });
  const format = text(read('format'));
  if (format !== PASSAGES)
    return [await client.transcripts.get(video, { ...choice, format: format as 'both' })];
  const size = withoutEmpty({ passage_characters: passageCharacters as number | undefined });
  const transcript = await client.transcripts.get(video, {
    ...choice,
    ...size,
    format: 'json',
    passages: true,
  });
  const { video: facts, language, meta, passages = [] } = transcript;
  // The items of one transcript add up to what it cost.
  return passages.map((passage, index) => ({
    ...passage,
    video_id: facts.id,
    title: facts.title,
    channel: facts.channel_title,
    published_at: facts.published_at,
    language: language.delivered,
    charged: index === 0 ? meta.charged : 0,
    translated: language.translation === 'served',
  }));
};

const getLanguages: Operation = async ({ client, read, signal }) => [
  await client.videos.languages(text(read('video')), { signal }),
];

const cite: Operation = async ({ client, read, signal }) => {
  const [format, at] = [read('citationFormat') as 'apa', read('at')];
  const choice = withoutEmpty({ format, at: at as number | undefined, signal });
  return [{ citation: await client.videos.cite(text(read('video')), choice) }];
};

/** The first ones; no more are read. */
async function* takeFirst<Row>(rows: AsyncIterable<Row>, limit: number): AsyncGenerator<Row> {
  let count = 0;
  for await (const row of rows) {
    yield row;
    count += 1;
    if (count >= limit) return;
  }
}

const takeWanted = <Row extends object>({ read }: OperationContext, rows: AsyncIterable<Row>): Rows =>
  read('returnAll') ? rows : takeFirst(rows, Number(read('limit')));

/** Entries of a source that are no item; a service of before does not say it. */
const warnOfOmitted = ({ warn }: OperationContext, omitted = 0): void => {
  if (omitted === 0) return;
  warn(
    `${omitted} ${omitted === 1 ? 'entry' : 'entries'} of the source could not be read: videos may be missing.`,
  );
};

async function* readVideos(context: OperationContext): AsyncGenerator<object> {
  const { client, read, signal } = context;
  const contents = read('contents') as 'all';
  let omittedSoFar = 0;
  try {
    for await (const { videos, omitted } of client.videos
      .list(text(read('source')), { contents, signal })
      .pages()) {
      omittedSoFar = omitted;
      yield* videos;
    }
  } finally {
    warnOfOmitted(context, omittedSoFar);
  }
}

const listVideos: Operation = (context) => takeWanted(context, readVideos(context));

/** Each page costs a credit, so pages are counted and not results. */
async function* search({ client, read, signal }: OperationContext): AsyncGenerator<object> {
  const type = read('type') as 'video';
  const channel = text(read('channel'));
  const query = client.search(text(read('query')), { type, ...withoutEmpty({ channel }), signal });
  for await (const { results } of takeFirst(query.pages(), Number(read('pages')))) yield* results;
}

const createJob: Operation = async (context) => {
  const { client, read, signal, idempotencyKey } = context;
  const { newest, contents, ...options } = optionsOf(context);
  const shared = withoutEmpty({ ...options, format: read('format'), language: text(read('language')) });
  const selected =
    read('from') === 'videos'
      ? { video_ids: toList(read('videoIds')) }
      : { input: text(read('source')), ...withoutEmpty({ newest, contents }) };
  const body = { ...selected, ...shared } as NewJob;
  return [toItem(context, await client.jobs.create(body, { signal, idempotencyKey: idempotencyKey(body) }))];
};

const fetchJob = ({ client, read, signal }: OperationContext): Promise<Job> =>
  client.jobs.get(text(read('jobId')), { signal });

const toItem = (context: OperationContext, { data }: Job): Job['data'] => {
  warnOfOmitted(context, data.omitted);
  return data;
};

const getJob: Operation = async (context) => [toItem(context, await fetchJob(context))];

const waitForJob: Operation = async (context) => {
  const { read, signal } = context;
  // A pause shows in the job.
  const options: WaitOptions = {
    timeout: Number(read('timeout')) * MS_PER_MINUTE,
    onPause: () => {},
    signal,
  };
  return [toItem(context, await (await fetchJob(context)).wait(options))];
};

/** An item for each transcript that was delivered: its facts and its text, or each of its passages. */
async function* getFiles(context: OperationContext): AsyncGenerator<object> {
  const { read, signal } = context;
  const job = await fetchJob(context);
  warnOfOmitted(context, job.data.omitted);
  const { rows } = await job.manifest({ signal });
  const size = withoutEmpty({
    passage_characters: optionsOf(context).passageCharacters as number | undefined,
  });
  for (const row of rows) {
    if (row.output_file === null) continue;
    const { video_id, title, channel_title: channel, published_date: published_at, language } = row;
    const translated = row.translation === 'served';
    const facts = { video_id, title, channel, published_at, language, translated };
    if (read('as') === PASSAGES)
      for (const passage of await job.passages(video_id, { ...size, signal })) yield { ...passage, ...facts };
    else yield { ...facts, file: row.output_file, text: await job.file(video_id, { signal }) };
  }
}

/** Queries, one a line, or a list by an expression. */
const toQueries = (value: unknown): string[] =>
  (Array.isArray(value) ? value.map(text) : text(value).split('\n').map(text)).filter((one) => one !== '');

/** What was added, so that an update to no words differs from one that leaves them. */
const readMonitorOptions = (context: OperationContext) => {
  const { autoFetch, words, ...options } = optionsOf(context);
  return {
    ...options,
    ...(autoFetch !== undefined && { auto_fetch: autoFetch === true }),
    ...(words !== undefined && { words: toQueries(words) }),
  };
};

const createMonitor: Operation = async (context) => {
  const { client, read, signal, idempotencyKey } = context;
  const body = withoutEmpty({
    [text(read('watch'))]: text(read('address')),
    language: text(read('language')),
    ...readMonitorOptions(context),
  }) as Body<'createMonitor'>;
  return [await client.monitors.create(body, { signal, idempotencyKey: idempotencyKey(body) })];
};

const updateMonitor: Operation = async (context) => {
  const { client, read, signal } = context;
  const body = readMonitorOptions(context) as Body<'changeMonitor'>;
  return [await client.monitors.update(text(read('monitorId')), body, { signal })];
};

const listMonitors: Operation = (context) =>
  takeWanted(context, context.client.monitors.list({ signal: context.signal }));

const listMatches: Operation = (context) => {
  const { client, read, signal } = context;
  return takeWanted(context, client.monitors.matches(text(read('monitorId')), { signal }));
};

/** By resource and operation, as the parameters of the node name them. */
export const operations: Readonly<Record<string, Operation>> = {
  'transcript.get': getTranscript,
  'transcript.getLanguages': getLanguages,
  'transcript.cite': cite,
  'list.getVideos': listVideos,
  'search.getMany': search,
  'job.create': createJob,
  'job.get': getJob,
  'job.wait': waitForJob,
  'job.getFiles': getFiles,
  'monitor.create': createMonitor,
  'monitor.getMany': listMonitors,
  'monitor.getMatches': listMatches,
  'monitor.update': updateMonitor,
};
