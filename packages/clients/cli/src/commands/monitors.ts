import type { Body, Monitor, MonitorMatch } from '@transcript-delivery/sdk';
import { type Command, Option } from 'commander';
import { type Context, collect, wholeNumber } from '../context.ts';
import {
  contentsOption,
  type LanguageChoice,
  languageOptions,
  noteTranslations,
  toLanguageQuery,
} from './reading.ts';

const PLAYLIST = /[?&]list=|^(?:PL|UU|OL|FL)/;

const toRow = ({ id, status, pause_reason: reason, language, channel, playlist }: Monitor) => [
  id,
  reason ?? status,
  language,
  channel ?? playlist,
];

const HEADS = ['Monitor', 'State', 'Language', 'Source'];

type Watch = {
  readonly autoFetch?: boolean;
  readonly words?: string[] | false;
  readonly mail?: NonNullable<Body<'changeMonitor'>['mail']>;
  readonly onlyMatches?: boolean;
  readonly receivers?: string[] | false;
};
export type Mail = NonNullable<Body<'createJob'>['mail']>;

export const mailOption = (...more: readonly string[]): Option =>
  new Option('--mail <when>', 'mail to the account').choices(['now', 'daily', ...more, 'none']);

export const receiversOption = (): Option =>
  new Option('--receivers <ids...>', 'send events to these receivers alone');

const watchOptions = (command: Command): Command =>
  command
    .option('--words <queries...>', 'say where these are said in new transcripts; needs --auto-fetch')
    .addOption(mailOption('weekly'))
    .option('--only-matches', 'no mail about new videos without a match')
    .option('--no-only-matches', 'mail about all new videos')
    .addOption(receiversOption());

const toBody = ({ autoFetch, words, mail, onlyMatches, receivers }: Watch) => ({
  ...(autoFetch !== undefined && { auto_fetch: autoFetch }),
  ...(words !== undefined && { words: words || [] }),
  ...(mail !== undefined && { mail }),
  ...(onlyMatches !== undefined && { mail_only_matches: onlyMatches }),
  ...(receivers !== undefined && { receivers: receivers || [] }),
});

type NewWatch = LanguageChoice & Watch & { readonly contents?: Monitor['contents'] };

const addCreate = (monitors: Command, context: Context): void => {
  const command = monitors
    .command('create')
    .description('watch a channel or a playlist for new videos')
    .argument('<source>', 'handle, address or id')
    .addOption(contentsOption())
    .option('--auto-fetch', 'fetch the transcripts of new videos, at the usual price');
  languageOptions(watchOptions(command)).action(async (source: string, options: NewWatch) => {
    const { contents } = options;
    const isPlaylist = contents === undefined && PLAYLIST.test(source);
    const watched = isPlaylist ? { playlist: source } : { channel: source, contents };
    const body = { ...watched, ...toBody(options), ...toLanguageQuery(options) };
    if (options.autoFetch) noteTranslations(context, options);
    const monitor = await context.client().monitors.create(body, { signal: context.signal });
    context.printRows(monitor, HEADS, [toRow(monitor)]);
  });
};

const addUpdate = (monitors: Command, context: Context): void => {
  const command = monitors
    .command('update')
    .description('change what a monitor does; what is not named stays')
    .argument('<id>')
    .option('--auto-fetch', 'fetch the transcripts of videos from now on')
    .option('--no-auto-fetch', 'fetch none');
  watchOptions(command)
    .option('--no-words', 'listen for none')
    .option('--no-receivers', 'send events to all receivers')
    .action(async (id: string, options: Watch) => {
      const monitor = await context.client().monitors.update(id, toBody(options), { signal: context.signal });
      context.printRows(monitor, HEADS, [toRow(monitor)]);
    });
};

/** A match has the first places of its words; with so many there may be more. */
const MAX_PLACES = 5;

type Match = Pick<MonitorMatch, 'query' | 'video' | 'translated' | 'passages'>;

export const printMatches = (context: Context, value: unknown, matches: readonly Match[]): void => {
  const text = matches.map(({ query, video, translated, passages }) =>
    [
      `${video.title ?? video.video_id}  ${query}${translated ? '  (translated by machine)' : ''}`,
      ...passages.map(({ url, text: said }) => `${url}  ${said}`),
      ...(passages.length < MAX_PLACES ? [] : ['and perhaps more places']),
    ].join('\n'),
  );
  if (text.length === 0) context.printRows(value, [], []);
  else context.print(value, text.join('\n\n'));
};

const addMatches = (monitors: Command, context: Context): void => {
  const { signal } = context;
  monitors
    .command('matches')
    .description('list where the words of all monitors were said, or of one, newest first; free')
    .argument('[id]')
    .addOption(new Option('-n, --limit <count>', 'how many').argParser(wholeNumber).default(20))
    .action(async (id: string | undefined, { limit }: { readonly limit: number }) => {
      const { monitors: all } = context.client();
      const pages = id === undefined ? all.allMatches({ signal }) : all.matches(id, { signal });
      const matches = await collect<Match>(context, pages, limit);
      printMatches(context, matches, matches);
    });
};

export const addMonitors = (program: Command, context: Context): void => {
  const { signal } = context;
  const monitors = program.command('monitors').description('channels and playlists that are watched');
  addCreate(monitors, context);
  addUpdate(monitors, context);
  addMatches(monitors, context);
  monitors
    .command('list')
    .description('list monitors')
    .action(async () => {
      const rows = await collect(context, context.client().monitors.list({ signal }));
      context.printRows(rows, HEADS, rows.map(toRow));
    });
  monitors
    .command('videos')
    .description('list the new videos that a monitor has found')
    .argument('<id>')
    .action(async (id: string) => {
      const rows = await collect(context, context.client().monitors.videos(id, { signal }));
      const cells = rows.map((video) => [video.video_id, video.published_at, video.title]);
      context.printRows(rows, ['Video', 'Published', 'Title'], cells);
    });
  monitors
    .command('resume')
    .description('go on with a monitor whose key was revoked')
    .argument('<id>')
    .action(async (id: string) => {
      const monitor = await context.client().monitors.resume(id, { signal });
      context.printRows(monitor, HEADS, [toRow(monitor)]);
    });
  monitors
    .command('cancel')
    .description('stop watching')
    .argument('<id>')
    .action(async (id: string) => {
      const monitor = await context.client().monitors.cancel(id, { signal });
      context.printRows(monitor, HEADS, [toRow(monitor)]);
    });
};
