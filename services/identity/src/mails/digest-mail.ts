import { type EventNotice, MAX_MAILED_VIDEOS } from '@tds/contracts';
import { dashboardPath } from '@tds/contracts/reading-address';
import { buildMail, type Mail, type Paragraph, type Places, quoteText } from '../domain/mail-text.ts';
import {
  byDay,
  eventMails,
  formatCount,
  type NoticeOf,
  openMonitor,
  quoteMatch,
  subjectOf,
} from './event-mails.ts';
import type { Stops } from './stop-token.ts';

/** The events of some days, such as `29 November to 30 November`, and how many there were beside them. */
type Digest = {
  readonly period: 'daily' | 'weekly';
  readonly days: string;
  readonly notices: readonly EventNotice[];
  readonly more: number;
};

/** Of one video, so that a day of many has them all. */
const EXTENT = { queries: 3, sentences: 2 };

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

const byMonitor = <One extends { readonly monitorId: string }>(notices: readonly One[]): [One, ...One[]][] =>
  [...Map.groupBy(notices, ({ monitorId }) => monitorId).values()] as [One, ...One[]][];

const sortByDay = (notices: readonly NoticeOf<'words_found'>[]) =>
  byDay(notices.map((notice) => ({ ...notice.video, notice }))).map(({ notice }) => notice);

/** Such as `7 of 10 new videos have your words.`, of the monitors that look for words; empty without any. */
const summarize = (notices: readonly EventNotice[]): string[] => {
  const found = notices.filter((notice) => notice.kind === 'words_found');
  if (found.length === 0) return [];
  const ofMonitors = byMonitor(found).map((matches) => {
    const count = new Set(matches.map(({ video }) => video.video_id)).size;
    const all = notices.filter((one) => one.kind === 'new_videos' && one.monitorId === matches[0].monitorId);
    return { count, all: Math.max(count, sum(all.map((one) => (one.kind === 'new_videos' ? one.count : 0)))) };
  });
  const [count, all] = [sum(ofMonitors.map((one) => one.count)), sum(ofMonitors.map((one) => one.all))];
  const of = all > count ? `${count} of ${formatCount(all, 'new video')}` : formatCount(count, 'new video');
  return [`${of} ${count === 1 ? 'has' : 'have'} your words.`];
};

/** What a digest says of the events of one kind, below its heading. */
const sections: {
  readonly [Kind in EventNotice['kind']]: {
    readonly heading: string;
    readonly write: (notices: readonly NoticeOf<Kind>[], stops: Stops) => Paragraph[];
  };
} = {
  words_found: {
    heading: 'Words',
    write: (all, stops) =>
      byMonitor(all).flatMap((notices) => {
        const [{ title, monitorId }] = notices;
        return [
          ...(title === null ? [] : [`In ${quoteText(title)}:`]),
          ...sortByDay(notices).flatMap((notice, at) => [
            ...(at > 0 ? [{ text: '', look: 'rule' } as const] : []),
            ...quoteMatch(notice, EXTENT),
          ]),
          { text: '', links: [openMonitor(monitorId), stops.one(monitorId)] },
        ];
      }),
  },
  new_videos: {
    heading: 'New videos',
    write: (all, stops) =>
      byMonitor(all).flatMap((notices) => {
        const videos = notices.flatMap((notice) => notice.videos).slice(0, MAX_MAILED_VIDEOS);
        const count = sum(notices.map((notice) => notice.count));
        const { paragraphs, link } = eventMails.new_videos({ ...notices[0], videos, count });
        return [...paragraphs, { text: '', links: [link, stops.one(notices[0].monitorId)] }];
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

const writeSection = <Kind extends EventNotice['kind']>(
  kind: Kind,
  notices: readonly EventNotice[],
  stops: Stops,
) => {
  const ofKind = notices.filter((notice): notice is NoticeOf<Kind> => notice.kind === kind);
  const { heading, write } = sections[kind];
  return ofKind.length === 0 ? [] : [{ text: heading, look: 'heading' } as const, ...write(ofKind, stops)];
};

/** Names what it is about, the words first: a locked phone shows no more. */
const digestSubject = ({ period, days, notices }: Digest): string => {
  const sorted = kinds.flatMap((kind) => notices.filter((notice) => notice.kind === kind));
  const [first = 'what happened', ...others] = new Set(sorted.map(subjectOf));
  return `${first}${others.length > 0 ? ` and ${others.length} more` : ''}: your ${period} mail of ${days}`;
};

/** One mail about the events of some days. */
export const digestMail = (digest: Digest, places: Places, stops: Stops): Mail => {
  const { notices, more, period } = digest;
  const link = { words: 'All that happened is in the dashboard', path: dashboardPath() };
  const rest = more > 0 ? [`And ${formatCount(more, 'more event')}, for which this mail has no room.`] : [];
  const reason = `You get this mail ${period === 'daily' ? 'once a day' : 'once a week'}, because you chose it for monitors or jobs. The hour is in the settings.`;
  const paragraphs = [
    ...summarize(notices),
    ...kinds.flatMap((kind) => writeSection(kind, notices, stops)),
    ...rest,
  ];
  return buildMail({ subject: digestSubject(digest), paragraphs, link, reason }, places, stops.all);
};
