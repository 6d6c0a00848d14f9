import type {
  ArchiveFile,
  Job,
  JobSummary,
  NewJob,
  SaveOptions,
  TranscriptFormat,
} from '@transcript-delivery/sdk';
import { type Command, Option } from 'commander';
import { type Context, collect, wholeNumber } from '../context.ts';
import { pauseText, progressLine, progressText } from '../progress.ts';
import { type Mail, mailOption, receiversOption } from './monitors.ts';
import {
  FORMATS,
  formatOption,
  type LanguageChoice,
  languageOptions,
  noteTranslations,
  toLanguageQuery,
} from './reading.ts';

const VIDEO_ID = /^[\w-]{11}$/;
const BY_DEFAULT = 20;

const toRow = ({ id, status, counts, credits, created_at: createdAt, name }: JobSummary) => [
  id,
  status,
  `${counts.cached + counts.fetched}/${counts.total}`,
  `${credits.charged} charged`,
  createdAt,
  name,
];

const HEADS = ['Job', 'State', 'Delivered', 'Credits', 'Begun', 'Name'];

const printJob = (context: Context, { data }: Job): void => {
  context.printRows(data, HEADS, [toRow(data)]);
  if (data.omitted > 0)
    context.note(
      `Not complete: ${data.omitted} entries of the source could not be read; videos may be missing.`,
    );
};

/** At its end also how many of its first 100 transcripts are not in the words of their video. */
const printEnded = (context: Context, job: Job): void => {
  printJob(context, job);
  const { videos, counts } = job.data;
  const translated = videos.filter(({ translation }) => translation === 'served').length;
  const all = `${counts.total > videos.length ? 'the first ' : ''}${videos.length}`;
  if (!context.isJson && translated > 0) context.note(`${translated} of ${all} are translated by machine`);
};

const waitFor = async (context: Context, job: Job): Promise<Job> => {
  const line = progressLine(context.io);
  try {
    return await job.wait({
      signal: context.signal,
      onProgress: (progress) => line.show(progressText(progress)),
      onPause: (pause) => {
        line.end();
        context.note(pauseText(pause));
      },
    });
  } finally {
    line.end();
  }
};

/** Saves with progress, and prints where. */
const download = async (
  context: Context,
  save: (options: Pick<SaveOptions, 'signal' | 'onProgress'>) => Promise<ArchiveFile[]>,
): Promise<void> => {
  const line = progressLine(context.io);
  // A line for each tenth is enough where there is no terminal.
  const onProgress: SaveOptions['onProgress'] = ({ part, of, received, bytes }) =>
    line.show(`part ${part} of ${of}: ${10 * Math.floor((10 * received) / bytes)} %`);
  try {
    const files = await save({ signal: context.signal, onProgress });
    line.end();
    context.print(files, files.map(({ path }) => path).join('\n'));
  } finally {
    line.end();
  }
};

type ArchiveChoice = { output?: string; formats?: TranscriptFormat[]; frontMatter?: true };
type DocumentChoice = { output?: string; format: 'md' | 'txt'; maxWords?: number };

const addDownloads = (jobs: Command, context: Context): void => {
  const get = (id: string) => context.client().jobs.get(id, { signal: context.signal });
  jobs
    .command('download')
    .description('save all files of an ended job as ZIP, checked; goes on after a cut')
    .argument('<id>')
    .option('-o, --output <file>', 'name of the ZIP (default: <id>.zip)')
    .addOption(new Option('--formats <formats...>', 'other formats than that of the job').choices(FORMATS))
    .option('--front-matter', 'md: YAML for notes before each text')
    .action(async (id: string, { output = `${id}.zip`, ...choice }: ArchiveChoice) => {
      const job = await get(id);
      await download(context, (options) => job.archive({ to: output, ...choice, ...options }));
    });
  jobs
    .command('document')
    .description('save all transcripts of an ended job as one text, or in parts for notebooks')
    .argument('<id>')
    .option('-o, --output <file>', 'name of the text or ZIP (default: <id>.md, .txt or .zip)')
    .addOption(new Option('--format <format>').choices(['md', 'txt']).default('md'))
    .option('--max-words <number>', 'a ZIP of texts of at most so many words', wholeNumber)
    .action(async (id: string, { output, ...choice }: DocumentChoice) => {
      const job = await get(id);
      const to = output ?? `${id}.${choice.maxWords === undefined ? choice.format : 'zip'}`;
      await download(context, (options) => job.document({ to, ...choice, ...options }));
    });
};

type NewJobOptions = LanguageChoice & {
  readonly format?: TranscriptFormat;
  readonly newest?: number;
  readonly name?: string;
  readonly mail?: Mail;
  readonly receivers?: string[];
  readonly wait?: true;
  readonly idempotencyKey?: string;
};

const addCreate = (jobs: Command, context: Context): void => {
  const command = jobs
    .command('create')
    .description('start a job of up to 500 transcripts')
    .argument('<source-or-ids...>', 'a channel, a playlist or a list:<key>; or ids of videos')
    .addOption(formatOption('format of the files'))
    .option('--newest <count>', 'only the first videos of the source, for a channel the newest', wholeNumber)
    .option('--name <name>', 'your name for the job')
    .addOption(mailOption())
    .addOption(receiversOption())
    .option('--idempotency-key <key>', 'repeats of the command with the same key start no second job')
    .option('-w, --wait', 'wait for its end, with progress');
  languageOptions(command).action(async (args: string[], options: NewJobOptions) => {
    const { format, newest, name, mail, receivers, wait, idempotencyKey, ...choice } = options;
    const source = args.every((word) => VIDEO_ID.test(word)) ? { video_ids: args } : { input: args.join(' ') };
    const body: NewJob = { ...source, format, newest, name, mail, receivers, ...toLanguageQuery(choice) };
    const { signal } = context;
    noteTranslations(context, choice);
    const job = await context.client().jobs.create(body, { signal, idempotencyKey });
    if (wait) context.note(`${job.id} is started`);
    if (wait) printEnded(context, await waitFor(context, job));
    else printJob(context, job);
  });
};

const addReads = (jobs: Command, context: Context): void => {
  const get = (id: string) => context.client().jobs.get(id, { signal: context.signal });
  jobs
    .command('list')
    .description('list jobs, newest first')
    .option('--status <status>', 'only jobs in this state')
    .option('-n, --limit <count>', 'how many', wholeNumber, BY_DEFAULT)
    .action(async ({ status, limit }: { status?: JobSummary['status']; limit: number }) => {
      const list = context.client().jobs.list({ signal: context.signal, ...(status && { status }) });
      const rows = await collect(context, list, limit);
      context.printRows(rows, HEADS, rows.map(toRow));
    });
  jobs
    .command('get')
    .description('show a job')
    .argument('<id>')
    .action(async (id: string) => printJob(context, await get(id)));
  jobs
    .command('wait')
    .description('wait for the end of a job, with progress')
    .argument('<id>')
    .action(async (id: string) => printEnded(context, await waitFor(context, await get(id))));
};

const addChanges = (jobs: Command, context: Context): void => {
  const get = (id: string) => context.client().jobs.get(id, { signal: context.signal });
  jobs
    .command('retry')
    .description('try videos that failed again')
    .argument('<id>')
    .action(async (id: string) => {
      const job = await get(id);
      const requeued = await job.retry({ signal: context.signal });
      context.print({ requeued, job: job.data }, `${requeued} videos are tried again`);
    });
  jobs
    .command('cancel')
    .description('cancel a job; what it has delivered stays')
    .argument('<id>')
    .action(async (id: string) => printJob(context, await (await get(id)).cancel({ signal: context.signal })));
};

export const addJobs = (program: Command, context: Context): void => {
  const jobs = program.command('jobs').description('up to 500 transcripts by one command');
  addCreate(jobs, context);
  addReads(jobs, context);
  addDownloads(jobs, context);
  addChanges(jobs, context);
};
