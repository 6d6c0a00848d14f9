import type { EventNotice, NewVideo } from '@tds/contracts';
import { dashboardPath } from '@tds/contracts/reading-address';
import {
  buildMail,
  type Link,
  type Mail,
  type MailText,
  type Paragraph,
  type Places,
  quoteName,
  quoteText,
} from './mail-text.ts';

type NoticeOf<Kind extends EventNotice['kind']> = Extract<EventNotice, { readonly kind: Kind }>;

const openMonitor = (id: string): Link => ({ words: 'Open the monitor', path: dashboardPath('monitors', id) });
const quoteVideo = ({ title, video_id: id }: NewVideo): string => quoteText(title ?? id);
const inSource = (title: string | null): string => (title === null ? '' : ` in ${quoteText(title)}`);
const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const placeOf = (isTranslated: boolean): string =>
  isTranslated ? 'was not said, but is in the translation by machine of' : 'was said in';

/** Such as 1:05 or 1:01:05. */
const clockTime = (seconds: number): string => {
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const parts = [...(hours > 0 ? [hours] : []), minutes, Math.floor(seconds) % 60];
  return parts.map((part, at) => `${part}`.padStart(at === 0 ? 1 : 2, '0')).join(':');
};

/** Mails about what a monitor found or a job did. */
export const eventMails: { readonly [Kind in EventNotice['kind']]: (notice: NoticeOf<Kind>) => MailText } = {
  words_found: ({ query, video, language, translated, passages, title, monitorId }) => ({
    subject: `Your words ${translated ? 'are in the translation of' : 'were said in'} a new video`,
    paragraphs: passages.map(({ start, text }, at) => ({
      text: [
        ...(at === 0
          ? [`${quoteText(query)} ${placeOf(translated)} ${quoteVideo(video)}${inSource(title)}:`]
          : []),
        `${quoteText(text)}${translated ? ' (translated by machine)' : ''}`,
      ].join('\n'),
      link: {
        words: `Read it at ${clockTime(start)}`,
        path: dashboardPath({ video: video.video_id, language, at: Math.floor(start), words: text }),
      },
    })),
    link: openMonitor(monitorId),
  }),
  new_videos: ({ title, videos, count, monitorId }) => ({
    subject: `${formatCount(count, 'new video')} of your monitor`,
    paragraphs: [
      [
        `${formatCount(count, 'new video')}${inSource(title)}:`,
        ...videos.map((video) => `- ${quoteVideo(video)}`),
        ...(count > videos.length ? [`and ${count - videos.length} more`] : []),
      ].join('\n'),
    ],
    link: openMonitor(monitorId),
  }),
  job_ended: ({ name, jobId, status, counts, credits }) => ({
    subject: status === 'completed' ? 'Your job is complete' : 'Your job has failed',
    paragraphs: [
      `The job ${name === null ? jobId : quoteName(name)} has ended: ${formatCount(counts.fetched, 'transcript')} fetched, ${counts.cached} cached, ${counts.error} failed. It cost ${formatCount(credits.charged, 'credit')}. Its files are in the dashboard.`,
    ],
    link: { words: 'Open the job', path: dashboardPath('jobs', jobId) },
  }),
};

/** Of one event, so that a day of many has them all. */
const MAX_PARAGRAPHS = 2;
const order = Object.keys(eventMails);

/** An event as a part of a mail about several. */
const toEntry = (notice: EventNotice): Paragraph[] => {
  const { paragraphs, link } = (eventMails[notice.kind] as (input: EventNotice) => MailText)(notice);
  const shown = paragraphs.slice(0, MAX_PARAGRAPHS);
  return shown.map((one) => (typeof one === 'string' ? { text: one, link } : one));
};

/** The events of a day, and how many there were beside them. */
type Day = { readonly notices: readonly EventNotice[]; readonly more: number };

/** One mail about the events of a day. */
export const dailyMail = ({ notices, more }: Day, places: Places, stopPath: string): Mail => {
  const sorted = notices.toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
  const subject = `Your daily mail: ${formatCount(notices.length + more, 'event')}`;
  const link = { words: 'All that happened is in the dashboard', path: dashboardPath() };
  const rest = more > 0 ? [{ text: `And ${more} more, for which this mail has no room.`, link }] : [];
  return buildMail({ subject, paragraphs: [...sorted.flatMap(toEntry), ...rest], link }, places, stopPath);
};
