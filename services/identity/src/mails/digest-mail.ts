import { type EventNotice, MAX_MAILED_VIDEOS } from '@tds/contracts';
import { dashboardPath } from '@tds/contracts/reading-address';
import {
  buildMail,
  type Link,
  type Mail,
  type Paragraph,
  type Places,
  quoteText,
} from '../domain/mail-text.ts';
import { eventMails, formatCount, type NoticeOf, openMonitor, quoteMatch, subjectOf } from './event-mails.ts';

/** The events of some days, such as `29 November to 30 November`, and how many there were beside them. */
type Digest = {
  readonly period: 'daily' | 'weekly';
  readonly days: string;
  readonly notices: readonly EventNotice[];
  readonly more: number;
};

/** Of one video, so that a day of many has them all. */
const EXTENT = { queries: 3, sentences: 2 };

const byMonitor = <One extends { readonly monitorId: string }>(notices: readonly One[]): [One, ...One[]][] =>
  [...Map.groupBy(notices, ({ monitorId }) => monitorId).values()] as [One, ...One[]][];

/** What a digest says of the events of one kind, below its heading. */
const sections: {
  readonly [Kind in EventNotice['kind']]: {
    readonly heading: string;
    readonly write: (notices: readonly NoticeOf<Kind>[]) => Paragraph[];
  };
} = {
  words_found: {
    heading: 'Words',
    write: (all) =>
      byMonitor(all).flatMap((notices) => {
        const [{ title, monitorId }] = notices;
        return [
          ...(title === null ? [] : [`In ${quoteText(title)}:`]),
          ...notices.flatMap((notice) => quoteMatch(notice, EXTENT)),
          { text: '', links: [openMonitor(monitorId)] },
        ];
      }),
  },
  new_videos: {
    heading: 'New videos',
    write: (all) =>
      byMonitor(all).flatMap((notices) => {
        const videos = notices.flatMap((notice) => notice.videos).slice(0, MAX_MAILED_VIDEOS);
        const count = notices.reduce((sum, notice) => sum + notice.count, 0);
        const { paragraphs, link } = eventMails.new_videos({ ...notices[0], videos, count });
        return [...paragraphs, { text: '', links: [link] }];
      }),
  },
  job_ended: {
    heading: 'Jobs',
    write: (all) =>
      all.flatMap((notice) => {
        const { paragraphs, link } = eventMails.job_ended(notice);
        return [...paragraphs, { text: '', links: [link] }];
      }),
  },
};
const kinds = Object.keys(sections) as EventNotice['kind'][];

const writeSection = <Kind extends EventNotice['kind']>(kind: Kind, notices: readonly EventNotice[]) => {
  const ofKind = notices.filter((notice): notice is NoticeOf<Kind> => notice.kind === kind);
  const { heading, write } = sections[kind];
  return ofKind.length === 0 ? [] : [{ text: heading, isHeading: true }, ...write(ofKind)];
};

const MAX_SUBJECT_PARTS = 2;

/** Names what it is about, the words first. */
const digestSubject = ({ period, days, notices }: Digest): string => {
  const sorted = kinds.flatMap((kind) => notices.filter((notice) => notice.kind === kind));
  const parts = [...new Set(sorted.map(subjectOf))];
  const left = parts.length - MAX_SUBJECT_PARTS;
  return `Your ${period} mail of ${days}: ${parts.slice(0, MAX_SUBJECT_PARTS).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
};

/** One mail about the events of some days. */
export const digestMail = (digest: Digest, places: Places, stop: Link): Mail => {
  const { notices, more } = digest;
  const link = { words: 'All that happened is in the dashboard', path: dashboardPath() };
  const rest = more > 0 ? [`And ${formatCount(more, 'more event')}, for which this mail has no room.`] : [];
  const paragraphs = [...kinds.flatMap((kind) => writeSection(kind, notices)), ...rest];
  return buildMail({ subject: digestSubject(digest), paragraphs, link }, places, stop);
};
