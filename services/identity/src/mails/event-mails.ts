import { type EventNotice, MAX_MATCH_PASSAGES, MAX_WORDS_PER_MONITOR, type NewVideo } from '@tds/contracts';
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
const quoteVideo = ({ title, video_id: id }: NewVideo): string => quoteText(title ?? id);
const inSource = (title: string | null): string => (title === null ? '' : ` in ${quoteText(title)}`);
export const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Graphemes that a locked phone shows. */
const [MAX_SUBJECT_QUERY, MAX_SUBJECT_TITLE] = [40, 50];

/** A query as it was typed: a phrase has its quotation marks. */
const showQuery = (query: string, most?: number): string =>
  query.includes('"') ? showWords(query, most) : quoteText(query, most);

/** What a mail is about, in few words. */
export const subjectOf = (notice: EventNotice): string => {
  if (notice.kind === 'job_ended') return notice.name === null ? 'a job' : quoteName(notice.name);
  const source = notice.title === null ? null : showWords(notice.title, MAX_SUBJECT_TITLE);
  if (notice.kind === 'new_videos') return source ?? 'a monitor';
  const more = notice.also.length > 0 ? ` and ${notice.also.length} more` : '';
  const place = source === null ? '' : ` in ${source}`;
  return `${showQuery(notice.query, MAX_SUBJECT_QUERY)}${more}${place}${notice.translated ? ' (translated)' : ''}`;
};

/** Such as 1:05 or 1:01:05. */
const clockTime = (seconds: number): string => {
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const parts = [...(hours > 0 ? [hours] : []), minutes, Math.floor(seconds) % 60];
  return parts.map((part, at) => `${part}`.padStart(at === 0 ? 1 : 2, '0')).join(':');
};

/** The sentences of a query below `intro`, at most so many, each with its second. */
const quoteSentences = (
  { video, language, translated }: FoundWords,
  { query, passages }: FoundQuery,
  { place, most }: { place: string; most: number },
): Paragraph[] => {
  const left = passages.length - most;
  // A match has the first places of all.
  const isOpen = passages.length === MAX_MATCH_PASSAGES;
  return [
    ...passages.slice(0, most).map(({ start, text }, at) => ({
      text: `${at === 0 ? `${showQuery(query)} ${place}:\n` : ''}${quoteText(text)}${translated ? ' (translated by machine)' : ''}`,
      links: [
        {
          words: `Read it at ${clockTime(start)}`,
          path: dashboardPath({ video: video.video_id, language, at: Math.floor(start), words: text }),
        },
        { words: 'Watch it', path: videoMomentUrl(video.video_id, Math.floor(start)) },
      ],
    })),
    ...(left > 0 ? [`and ${isOpen ? 'at least ' : ''}${formatCount(left, 'more place')}`] : []),
  ];
};

/** What is shown of a match: the first queries, and the first sentences of each. */
type Extent = { readonly queries: number; readonly sentences: number };

/** The queries of a match with their sentences; without `source`, the channel is known. */
export const quoteMatch = (notice: FoundWords, extent: Extent, source: string | null = null): Paragraph[] => {
  const { translated, video, query, passages, also } = notice;
  const said = translated ? 'was not said, but is in the translation by machine of' : 'was said in';
  const again = translated ? 'is in this translation, too' : 'was said there, too';
  const queries = [{ query, passages }, ...also];
  const others = queries.slice(extent.queries).map((other) => showQuery(other.query));
  return [
    ...queries.slice(0, extent.queries).flatMap((one, at) =>
      quoteSentences(notice, one, {
        place: at === 0 ? `${said} ${quoteVideo(video)}${inSource(source)}` : again,
        most: extent.sentences,
      }),
    ),
    ...(others.length > 0 ? [`Also there: ${others.join(', ')}`] : []),
  ];
};

/** What a job could not take of its source. */
const omittedText = (omitted = 0): string =>
  omitted === 0
    ? ''
    : ` ${omitted} ${omitted === 1 ? 'entry' : 'entries'} of its source could not be read: videos may be missing.`;

const ALL: Extent = { queries: MAX_WORDS_PER_MONITOR, sentences: MAX_MATCH_PASSAGES };

/** Mails about what a monitor found or a job did. */
export const eventMails: { readonly [Kind in EventNotice['kind']]: (notice: NoticeOf<Kind>) => MailText } = {
  words_found: (notice) => ({
    subject: subjectOf(notice),
    paragraphs: quoteMatch(notice, ALL, notice.title),
    link: openMonitor(notice.monitorId),
  }),
  new_videos: (notice) => ({
    subject: `${formatCount(notice.count, 'new video')} in ${subjectOf(notice)}`,
    paragraphs: [
      `${formatCount(notice.count, 'new video')}${inSource(notice.title)}:`,
      ...notice.videos.map((video) => ({
        text: quoteVideo(video),
        links: [{ words: 'Watch it', path: videoUrl(video.video_id) }],
      })),
      ...(notice.count > notice.videos.length ? [`and ${notice.count - notice.videos.length} more`] : []),
    ],
    link: openMonitor(notice.monitorId),
  }),
  job_ended: ({ name, jobId, status, counts, omitted, credits }) => ({
    subject: status === 'completed' ? 'Your job is complete' : 'Your job has failed',
    paragraphs: [
      `The job ${name === null ? jobId : quoteName(name)} has ended: ${formatCount(counts.fetched, 'transcript')} fetched, ${counts.cached} cached, ${counts.error} failed. It cost ${formatCount(credits.charged, 'credit')}.${omittedText(omitted)} Its files are in the dashboard.`,
    ],
    link: { words: 'Open the job', path: dashboardPath('jobs', jobId) },
  }),
};
