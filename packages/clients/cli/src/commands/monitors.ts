import type { Monitor } from '@transcript-delivery/sdk';
import type { Command } from 'commander';
import { type Context, collect, table } from '../context.ts';
import { type LanguageChoice, languageOptions, noteTranslations, toLanguageQuery } from './reading.ts';

const PLAYLIST = /[?&]list=|^(?:PL|UU|OL|FL)/;

const toRow = ({ id, status, pause_reason: reason, language, channel, playlist }: Monitor) => [
  id,
  reason ?? status,
  language,
  channel ?? playlist,
];

const addCreate = (monitors: Command, context: Context): void => {
  const command = monitors
    .command('create')
    .description('watch a channel or a playlist for new videos')
    .argument('<source>', 'handle, address or id')
    .option('--auto-fetch', 'fetch the transcripts of new videos, at the usual price');
  languageOptions(command).action(
    async (source: string, { autoFetch, ...choice }: LanguageChoice & { autoFetch?: true }) => {
      const watched = PLAYLIST.test(source) ? { playlist: source } : { channel: source };
      const body = { ...watched, ...(autoFetch && { auto_fetch: true }), ...toLanguageQuery(choice) };
      if (autoFetch) noteTranslations(context, choice);
      const monitor = await context.client().monitors.create(body, { signal: context.signal });
      context.print(monitor, table([toRow(monitor)]));
    },
  );
};

export const addMonitors = (program: Command, context: Context): void => {
  const { signal } = context;
  const monitors = program.command('monitors').description('channels and playlists that are watched');
  addCreate(monitors, context);
  monitors
    .command('list')
    .description('list monitors')
    .action(async () => {
      const rows = await collect(context.client().monitors.list({ signal }));
      context.print(rows, table(rows.map(toRow)));
    });
  monitors
    .command('videos')
    .description('list the new videos that a monitor has found')
    .argument('<id>')
    .action(async (id: string) => {
      const rows = await collect(context.client().monitors.videos(id, { signal }));
      context.print(rows, table(rows.map((video) => [video.video_id, video.published_at, video.title])));
    });
  monitors
    .command('resume')
    .description('go on with a monitor whose key was revoked')
    .argument('<id>')
    .action(async (id: string) => {
      const monitor = await context.client().monitors.resume(id, { signal });
      context.print(monitor, table([toRow(monitor)]));
    });
  monitors
    .command('cancel')
    .description('stop watching')
    .argument('<id>')
    .action(async (id: string) => {
      const monitor = await context.client().monitors.cancel(id, { signal });
      context.print(monitor, table([toRow(monitor)]));
    });
};
