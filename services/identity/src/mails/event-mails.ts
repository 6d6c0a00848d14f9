import {
  type EventNotice,
  MAX_MATCH_PASSAGES,
  MAX_WORDS_PER_MONITOR,
  type NewVideo,
  type Notice,
} from '@tds/contracts';
import { dashboardPath } from '@tds/contracts/reading-address';
import { videoMomentUrl, videoUrl } from '@tds/platform-addresses/platform-urls';
import {
  type Link,
  type MailText,
  type Paragraph,
  quoteName,
  quoteText,
  showWords,
} from '../domain/mail-text.ts';

export type NoticeOf<Kind extends EventNotice['kind']> = Extract<EventNotice, { readonly kind: Kind }>;
type FoundWords = NoticeOf<'words_found'>;
type FoundQuery = FoundWords['also'][number];

export const openMonitor = (id: string): Link => ({
  ...{ words: 'Open the monitor', path: dashboardPath('monitors', id) },
});
const inSource = (title: string | null): string => (title === null ? '' : ` in ${quoteText(title)}`);
export const formatCount = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

/** Graphemes: a locked phone shows the first fifty or so. */
const [MAX_SUBJECT_QUERY, MAX_SUBJECT_TITLE, MAX_SUBJECT_SOURCE] = [40, 60, 40];
/** Characters of an id that tell two jobs apart. */
const ID_END = 8;

/** A query as it was typed: a phrase has its quotation marks. */
const showQuery = (query: string, most?: number): string =>
  query.includes('"') ? showWords(query, most) : quoteText(query, most);

/** A video as one line of a subject. */
const nameVideo = ({ title, video_id: id }: NewVideo): string => showWords(title ?? id, MAX_SUBJECT_TITLE);

/** What a mail is about, in few words: no two of them alike, or mail programs fold them into one. */
export const subjectOf = (notice: EventNotice): string => {
  if (notice.kind === 'job_ended')
    return notice.name === null ? `job ${notice.jobId.slice(-ID_END)}` : quoteName(notice.name);
  const source = notice.title === null ? null : showWords(notice.title, MAX_SUBJECT_SOURCE);
  if (notice.kind === 'new_videos') {
    const [first] = notice.videos;
    const more = notice.count > 1 ? ` and ${notice.count - 1} more` : '';
    return `${first ? nameVideo(first) : 'new videos'}${more}${source === null ? '' : ` in ${source}`}`;
  }
  const more = notice.also.length > 0 ? ` and ${notice.also.length} more` : '';
  const places = [source, notice.translated ? 'translated' : null].filter((place) => place !== null);
  const place = places.length > 0 ? ` (${places.join(', ')})` : '';
  return `${showQuery(notice.query, MAX_SUBJECT_QUERY)}${more} in ${nameVideo(notice.video)}${place}`;
};

/** Such as 1:05 or 1:01:05. */
const clockTime = (seconds: number): string => {
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const parts = [...(hours > 0 ? [hours] : []), minutes, Math.floor(seconds) % 60];
  return parts.map((part, at) => `${part}`.padStart(at === 0 ? 1 : 2, '0')).join(':');
};

const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** The title as a link, below it where it is from: channel or playlist, day, and what else is to be known. */
const introduceVideo = (
  { title, video_id: id, published_at: at }: NewVideo,
  link: Link,
  facts: readonly string[] = [],
): Paragraph[] => {
  const note = [...facts, ...(at === null ? [] : [dayFormat.format(new Date(at))])].join(' \u00b7 ');
  return [
    { text: showWords(title ?? id), look: 'title', links: [link] },
    ...(note === '' ? [] : [{ text: note, look: 'note' } as const]),
  ];
};

/** The sentences of a query, at most so many, each with its second. */
const quoteSentences = (
  { video, language }: FoundWords,
  { query, passages }: FoundQuery,
  most: number,
): Paragraph[] => {
  const left = passages.length - most;
  // A match has the first places of all.
  const isOpen = passages.length === MAX_MATCH_PASSAGES;
  return [
    `${showQuery(query)}:`,
    ...passages.slice(0, most).map(({ start, text, words }) => ({
      ...{ text: showWords(text), look: 'quote' as const, ...(words !== undefined && { found: words }) },
      links: [
        {
          words: `Read it at ${clockTime(start)}`,
          path: dashboardPath({ video: video.video_id, language, at: Math.floor(start), words: text }),
        },
        { words: 'Watch it', path: videoMomentUrl(video.video_id, Math.floor(start)) },
      ],
    })),
    ...(left > 0 ? [`and ${isOpen ? 'at least ' : ''}${formatCount(left, 'more place')}`] : []),
    ...(left <= 0 && isOpen ? ['and perhaps more places'] : []),
  ];
};

/** What is shown of a match: the first queries, and the first sentences of each. */
type Extent = { readonly queries: number; readonly sentences: number };

/** A video with the queries of its match and their sentences. Without `source`, the channel stands above. */
export const quoteMatch = (notice: FoundWords, extent: Extent, source: string | null = null): Paragraph[] => {
  const { translated, video, language, query, passages, also } = notice;
  const queries = [{ query, passages }, ...also];
  const others = queries.slice(extent.queries).map((other) => showQuery(other.query));
  const facts = [
    ...(source === null ? [] : [showWords(source)]),
    ...(translated ? ['translated by machine, nobody said these words'] : []),
  ];
  const [first] = passages;
  const place = first && { at: Math.floor(first.start), words: first.text };
  const page = { words: 'Read it', path: dashboardPath({ video: video.video_id, language, ...place }) };
  return [
    ...introduceVideo(video, page, facts),
    ...queries.slice(0, extent.queries).flatMap((one) => quoteSentences(notice, one, extent.sentences)),
    ...(others.length > 0 ? [`Also there: ${others.join(', ')}`] : []),
  ];
};

/** Videos in the order of their list, the newest first. */
export const byDay = <One extends NewVideo>(videos: readonly One[]): One[] =>
  videos.toSorted((one, other) => (other.published_at ?? '').localeCompare(one.published_at ?? ''));

/** What a job could not take of its source. */
const omittedText = (omitted = 0): string =>
  omitted === 0
    ? ''
    : ` ${omitted} ${omitted === 1 ? 'entry' : 'entries'} of its source could not be read: videos may be missing.`;

const ALL: Extent = { queries: MAX_WORDS_PER_MONITOR, sentences: MAX_MATCH_PASSAGES };

const JOB_REASON = 'You get this mail because you made this job, or chose its mails.';
const whyOfMonitor = (title: string | null): string =>
  `You get this mail because you made a monitor${title === null ? '' : ` of ${quoteText(title)}`}, or chose its mails.`;

/** Mails about what a monitor found or a job did. */
export const eventMails: { readonly [Kind in EventNotice['kind']]: (notice: NoticeOf<Kind>) => MailText } = {
  words_found: (notice) => ({
    subject: subjectOf(notice),
    paragraphs: quoteMatch(notice, ALL, notice.title),
    link: openMonitor(notice.monitorId),
    reason: whyOfMonitor(notice.title),
  }),
  new_videos: (notice) => ({
    subject: `New: ${subjectOf(notice)}`,
    paragraphs: [
      `${formatCount(notice.count, 'new video')}${inSource(notice.title)}:`,
      ...byDay(notice.videos).flatMap((video) =>
        introduceVideo(video, { words: 'Watch it', path: videoUrl(video.video_id) }),
      ),
      ...(notice.count > notice.videos.length ? [`and ${notice.count - notice.videos.length} more`] : []),
    ],
    link: openMonitor(notice.monitorId),
    reason: whyOfMonitor(notice.title),
  }),
  job_ended: (notice) => {
    const { name, jobId, status, counts, omitted, credits } = notice;
    return {
      subject: `Your ${name === null ? '' : 'job '}${subjectOf(notice)} ${status === 'completed' ? 'is complete' : 'has failed'}`,
      paragraphs: [
        `The job ${name === null ? jobId : quoteName(name)} has ended: ${formatCount(counts.fetched, 'transcript')} fetched, ${counts.cached} cached, ${counts.error} failed. It cost ${formatCount(credits.charged, 'credit')}.${omittedText(omitted)} Its files are in the dashboard.`,
      ],
      link: { words: 'Open the job', path: dashboardPath('jobs', jobId) },
      reason: JOB_REASON,
    };
  },
};

export const isOfWork = (notice: Notice): notice is EventNotice => notice.kind in eventMails;

/** The id of the monitor or the job that a mail is about. */
export const workOf = (notice: EventNotice): string =>
  notice.kind === 'job_ended' ? notice.jobId : notice.monitorId;
