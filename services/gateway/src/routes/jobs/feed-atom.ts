import { derivedId, type monitorScheduler, type ReplyOf, type transcriptFetcher } from '@tds/contracts';
import { isolate } from '@tds/contracts/isolated';
import { MAX_MATCH_PASSAGES } from '@tds/contracts/passages';
import { readingAddress } from '@tds/contracts/reading-address';
import { atomFeed, escapeXml } from '@tds/http-api';

type Found = Partial<
  ReplyOf<typeof transcriptFetcher.listAccountMatches> & ReplyOf<typeof monitorScheduler.listMonitorVideos>
>;
type Feed = Omit<ReplyOf<typeof monitorScheduler.getFeed>, 'accountId'> &
  Found & { readonly subjectId: string };
type Addresses = { readonly self: string; readonly dashboard: string };

const [FROM, TO] = [11, 19];
/** `00:01:02` */
const clock = (seconds: number): string => new Date(Math.floor(seconds) * 1_000).toISOString().slice(FROM, TO);

/**
 * A match is an entry with its sentences, which lead to their second. Ids are the same for each address of the feed. Content is markup,
 * because a reader that takes text for markup would run it.
 */
export const createAtom = (
  { feed, monitor, subjectId, matches = [], videos = [] }: Feed,
  { self, dashboard }: Addresses,
): string => {
  const readAt = (...[reading]: Parameters<typeof readingAddress>) => `${dashboard}${readingAddress(reading)}`;
  const channelOf = ({
    channel_title: channel = null,
  }: {
    readonly channel_title?: string | null | undefined;
  }) => (monitor || channel === null ? [] : [isolate(channel)]);
  const ofMatches = matches.map(({ id, query, video, language, translated, passages, found_at: updatedAt }) => {
    const [{ start = 0, text = '', words = text } = {}] = passages;
    const sentences = passages.map(
      (said) =>
        `<li dir="auto"><a href="${escapeXml(said.url)}">${clock(said.start)}</a> ${escapeXml(said.text)}</li>`,
    );
    return {
      ...{ id: `urn:uuid:${id}`, updatedAt },
      title: [`${isolate(query)} in ${isolate(video.title ?? video.video_id)}`, ...channelOf(video)].join(', '),
      url: readAt({ video: video.video_id, language, at: Math.floor(start), words }),
      html: `<ul>${sentences.join('')}</ul>${passages.length === MAX_MATCH_PASSAGES ? '<p>And perhaps more places.</p>' : ''}${translated ? '<p>Translated by machine.</p>' : ''}`,
    };
  });
  const ofVideos = videos.map(({ video_id: video, title, found_at: updatedAt }) => {
    const url = readAt({ video, language: monitor?.language ?? 'orig' });
    const html = `<p><a href="${escapeXml(url)}">Read the transcript</a></p>`;
    return { id: `urn:uuid:${derivedId(subjectId, video)}`, updatedAt, title: title ?? video, url, html };
  });
  const entries = [...ofMatches, ...ofVideos];
  return atomFeed({
    id: `urn:uuid:${derivedId('feed', subjectId)}`,
    title: monitor
      ? isolate(monitor.title ?? monitor.channel ?? monitor.playlist ?? '')
      : 'Matches of all monitors',
    updatedAt: entries[0]?.updatedAt ?? feed.created_at,
    url: `${dashboard}/${monitor ? `monitors/${monitor.id}` : 'matches'}`,
    ...{ self, entries },
  });
};
