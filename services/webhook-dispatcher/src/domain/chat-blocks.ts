import { MAX_MATCH_PASSAGES, type WebhookData, type WebhookKind } from '@tds/contracts';
import { dashboardPath } from '@tds/contracts/reading-address';
import { videoUrl } from '@tds/platform-addresses/platform-urls';
import { fitText, toLine } from './fit-text.ts';
import type { WebhookEvent } from './webhook-message.ts';

/** Text with one look; a link if it has an address. */
export type Run = { readonly text: string; readonly isBold?: boolean; readonly url?: string };
/** One line of a message: its title, plain, words of others set off, or a note. */
export type Block = { readonly look: 'title' | 'text' | 'quote' | 'note'; readonly runs: readonly Run[] };

const MAX_TITLE = 200;
/** Sentences and videos of one message. */
const [MAX_SENTENCES, MAX_VIDEOS] = [3, 10];

const show = (text: string): string => fitText(toLine(text), MAX_TITLE);
const quote = (text: string): string => `"${show(text)}"`;
const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
const line = (look: Block['look'], ...runs: readonly Run[]): Block => ({ look, runs });
const text = (words: string): Block => line('text', { text: words });
const note = (...facts: readonly (string | null)[]): Block[] => {
  const known = facts.filter((fact) => fact !== null && fact !== '');
  return known.length === 0 ? [] : [line('note', { text: known.join(' \u00b7 ') })];
};

const title = (words: string, url: string | null): Block =>
  line('title', { text: words, isBold: true, ...(url !== null && { url }) });

/** Such as 1:05 or 1:01:05. */
const clock = (seconds: number): string => {
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const parts = [...(hours > 0 ? [hours] : []), minutes, Math.floor(seconds) % 60];
  return parts.map((part, at) => `${part}`.padStart(at === 0 ? 1 : 2, '0')).join(':');
};

const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const day = (at: string | null): string | null => (at === null ? null : dayFormat.format(new Date(at)));

type Data<Kind extends WebhookKind> = WebhookData<Kind>;
type Passage = Data<'monitor.words_found'>['passages'][number];

/** A sentence with its words bold and its second as a link. */
const sentence = ({ text: all, words, start, url }: Passage): Block => {
  const [shown, found] = [toLine(all), toLine(words ?? '')];
  const at = found === '' ? -1 : shown.indexOf(found);
  const end = at + found.length;
  const parts: Run[] =
    at < 0
      ? [{ text: shown }]
      : [{ text: shown.slice(0, at) }, { text: found, isBold: true }, { text: shown.slice(end) }];
  return line('quote', ...parts, { text: ' ' }, { text: clock(start), url });
};

/** The page of the dashboard about it; null if this process does not know its address. */
type Page = (view: 'jobs' | 'billing' | 'monitors', id?: string) => string | null;

const wordsFound = (data: Data<'monitor.words_found'>): Block[] => {
  const { video, query, passages, translated, title: source } = data;
  const said = translated ? 'was said, as a machine translates it' : 'was said';
  const shown = passages.slice(0, MAX_SENTENCES);
  const left = passages.length - shown.length;
  // A match has the first places of all.
  const atLeast = passages.length === MAX_MATCH_PASSAGES ? 'at least ' : '';
  return [
    title(show(video.title ?? video.video_id), videoUrl(video.video_id)),
    line('text', { text: show(query), isBold: true }, { text: ` ${said}:` }),
    ...shown.map(sentence),
    ...(left > 0 ? [text(`And ${atLeast}${left} more ${left === 1 ? 'place' : 'places'}.`)] : []),
    ...note(
      show(video.channel_title ?? source ?? ''),
      day(video.published_at),
      'The transcript cost 1 credit, or 0 if it was cached',
    ),
  ];
};

const newVideos = (data: Data<'channel.new_videos'>, page: Page): Block[] => {
  const { videos, title: source, monitor_id: id } = data;
  const left = videos.length - MAX_VIDEOS;
  const where = source === null ? '' : ` in ${show(source)}`;
  return [
    title(`${count(videos.length, 'new video')}${where}`, page('monitors', id)),
    ...videos.slice(0, MAX_VIDEOS).map(({ video_id: video, title: name, published_at: at }) => {
      const runs: Run[] = [{ text: show(name ?? video), url: videoUrl(video) }];
      return line('text', ...runs, ...(at === null ? [] : [{ text: ` \u00b7 ${day(at)}` }]));
    }),
    ...(left > 0 ? [text(`And ${left} more.`)] : []),
    ...note('Finding them cost 0 credits'),
  ];
};

const whyPaused: Readonly<Record<NonNullable<Data<'job.paused'>['pause_reason']>, string>> = {
  insufficient_credits: 'Credits are missing. It goes on by itself when there are enough.',
  daily_limit: 'A daily limit is used up. It goes on by itself.',
  budget_exhausted: 'The service has used up its requests of today. It goes on by itself.',
  platform_unavailable: 'The video platform cannot be reached. It goes on by itself.',
  waiting_for_broadcast: 'It waits for a broadcast to end. It goes on by itself.',
  key_revoked: 'Its key was revoked. Retry it with another key, or cancel it.',
  account_frozen: 'The account is frozen.',
};

type JobData = Data<'job.completed'>;

const jobName = ({ name, job_id: id }: JobData): string => (name === null ? id : quote(name));

const jobCounts = ({ counts }: JobData): Block => {
  const { total, cached, fetched, error, cancelled } = counts;
  const parts = [
    `${cached + fetched} of ${count(total, 'transcript')} delivered`,
    ...(error > 0 ? [`${error} failed`] : []),
    ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
  ];
  return text(`${parts.join(', ')}.`);
};

const job =
  (words: string) =>
  (data: JobData, page: Page): Block[] => [
    title(`Job ${jobName(data)} ${words}`, page('jobs', data.job_id)),
    ...(data.status === 'paused' && data.pause_reason ? [text(whyPaused[data.pause_reason])] : []),
    jobCounts(data),
    ...note(`It cost ${count(data.credits.charged, 'credit')}`),
  ];

const blocksOf: { readonly [Kind in WebhookKind]: (data: Data<Kind>, page: Page) => Block[] } = {
  'monitor.words_found': wordsFound,
  'channel.new_videos': newVideos,
  'job.completed': job('has ended'),
  'job.failed': job('has failed'),
  'job.paused': job('is paused'),
  'job.resumed': job('goes on'),
  'credits.low': ({ available, threshold }, page) => [
    title('Credits are running low', page('billing')),
    text(`${count(available, 'credit')} left, fewer than ${threshold}.`),
  ],
  'webhook.test': () => [
    title('A test', null),
    text('Messages about the chosen events arrive here.'),
    ...note('Messages cost 0 credits'),
  ],
};

/** What an event says to people. */
export const toBlocks = ({ kind, data }: WebhookEvent, publicUrl: string | null): readonly Block[] => {
  const page: Page = (view, id) => (publicUrl === null ? null : publicUrl + dashboardPath(view, id));
  return (blocksOf[kind] as (data: unknown, page: Page) => Block[])(data, page);
};
