import { safeFileTitle } from '@tds/transcript-format/file-titles';
import type { Account, ListedVideo } from '@transcript-delivery/sdk';
import { isMetBy, SPOKEN } from './languages.ts';
import { credits, number, videos } from './words.ts';

/** What a pasted text was resolved to: the input of a job, and its videos with what is cached. */
export type Found = {
  /** A channel, playlist or `list:<key>`. */
  readonly input: string;
  readonly kind: 'channel' | 'playlist' | 'list';
  /** The first videos, at most 500. */
  readonly videos: readonly Pick<
    ListedVideo,
    'video_id' | 'title' | 'published_at' | 'duration' | 'cached' | 'original_language'
  >[];
  /** All videos of the source; null while they are counted. */
  readonly total: number | null;
  /** Words of the text that are no video. */
  readonly lost: readonly string[];
  /** Entries of the source that could not be read. */
  readonly omitted: number;
};

const PLATFORM = /youtu\.?be/i;

/** The link of each line that leads elsewhere and to no video of the platform. */
export const linksElsewhere = (text: string): string[] =>
  text.split(/[\r\n]+/).flatMap((line) => {
    const [link] = /https?:\/\/[^\s"'<>,;]+/i.exec(line) ?? [];
    return link === undefined || PLATFORM.test(line) ? [] : [link];
  });

/** One word on one line may be a channel or a playlist; anything else is a text with links. */
export const mayBeSource = (text: string): boolean => /^\S+$/.test(text.trim());

/** Videos per day of a new account, for its first two days. */
export const NEW_ACCOUNT_FETCHES = 25;
const NEW_ACCOUNT_MS = 2 * 86_400_000;
export const isNewAccount = ({ created_at }: Pick<Account['account'], 'created_at'>, now: number): boolean =>
  now - Date.parse(created_at) < NEW_ACCOUNT_MS;

export type Plan = {
  /** Videos that the job takes. */
  readonly count: number;
  readonly cached: number;
  /** The most that it can cost. */
  readonly most: number;
  /** Set if the source has more videos than the job takes. */
  readonly newest: number | undefined;
};

/** What is cached in another language than the chosen one, or in one that is not known, costs a credit. */
const isFree = ({ cached, original_language: spoken }: Found['videos'][number], wish: string): boolean =>
  cached && (isMetBy(wish, SPOKEN) || (spoken !== null && isMetBy(wish, spoken)));

/** `wanted` limits the videos; null takes all that a job of the tier may have. */
export const planOf = (found: Found, wanted: number | null, perJob: number, wish: string = SPOKEN): Plan => {
  const known = found.total ?? found.videos.length;
  const count = Math.min(known, perJob, wanted ?? perJob);
  const taken = found.videos.slice(0, count);
  const cached = taken.filter((video) => isFree(video, wish)).length;
  const isWhole = found.total !== null && count === found.total;
  return { count, cached, most: count - cached, newest: isWhole ? undefined : count };
};

/** What the job takes and costs. */
export const costSentence = ({ count, cached, most }: Plan): string => {
  if (count === 0) return 'There is no video to fetch.';
  if (most === 0) return `${videos(count)}, all of them cached: the job is free.`;
  const free = cached === 0 ? 'none of them cached' : `${number(cached)} of them cached`;
  return `${videos(count)}, ${free}: at most ${credits(most)}. Videos without captions cost nothing.`;
};

/** What the customer has to know before starting, each with the way out; `usedToday` are credits of this person. */
export const cautions = (
  plan: Plan,
  found: Found,
  { account, limits, person }: Pick<Account, 'account' | 'limits' | 'person'>,
  usedToday: number,
  now: number,
): string[] => {
  const { total, omitted } = found;
  const cap = person?.daily_credit_cap ?? null;
  const left = cap === null ? plan.most : Math.max(0, cap - usedToday);
  const isNew = isNewAccount(account, now);
  return [
    total !== null && total > limits.videos_per_job
      ? `The source has ${videos(total)}. A job of your tier takes ${number(limits.videos_per_job)}.`
      : '',
    isNew && plan.most > NEW_ACCOUNT_FETCHES
      ? `A new account fetches ${NEW_ACCOUNT_FETCHES} new transcripts a day for two days. The job pauses, and goes on after 00:00 UTC.`
      : '',
    left < plan.most
      ? `Of your daily cap ${left === 1 ? 'is' : 'are'} ${credits(left)} left. The job pauses at it, and goes on after 00:00 UTC, or when an owner raises the cap in People.`
      : '',
    omitted > 0
      ? `${number(omitted)} ${omitted === 1 ? 'entry' : 'entries'} of the source could not be read: videos may be missing.`
      : '',
    found.lost.length > 0
      ? `Left out, because no video can be seen there: ${found.lost.slice(0, 5).join(', ')}${found.lost.length > 5 ? ` and ${found.lost.length - 5} more` : ''}.`
      : '',
  ].filter(Boolean);
};

/** The field of a new monitor for what was pasted: a playlist or a channel. */
export const monitorSource = (text: string): { playlist: string } | { channel: string } => {
  const source = text.trim();
  const isPlaylist = /[?&]list=|^(?:PL|OLAK5uy_|UU|FL)[\w-]{10,}$/.test(source);
  return isPlaylist ? { playlist: source } : { channel: source };
};

/** A name for a file on any system, as the folder of a ZIP has it. */
export const fileName = (name: string, part: number, of: number, extension = 'zip'): string =>
  `${safeFileTitle(name, 'transcripts')}${of > 1 ? `-${part}` : ''}.${extension}`;
