export const CHANNEL_ID = 'UCabcdefghijklmnopqrstuv';
export const PLAYLIST_ID = 'PLabcdefghijklmnopqrstuvwxyz012345';

type Entry = {
  readonly id: string;
  readonly title?: string;
  readonly published?: string;
};

export const feedEntry = ({ id, title = `Title of ${id}`, published }: Entry): string => `<entry>
  <id>yt:video:${id}</id><yt:videoId>${id}</yt:videoId><yt:channelId>${CHANNEL_ID}</yt:channelId>
  <title>${title}</title><link rel="alternate" href="https://www.youtube.com/watch?v=${id}"/>
  <author><name>A channel</name><uri>https://www.youtube.com/channel/${CHANNEL_ID}</uri></author>
  <published>${published ?? '2026-11-20T10:00:00+00:00'}</published><updated>2026-11-21T10:00:00+00:00</updated>
  <media:group><media:title>${title}</media:title><media:description>Words</media:description></media:group>
 </entry>`;

/** The id of the n-th video, counted from 0. */
export const feedVideoId = (index: number): string => `video${String(index).padStart(6, '0')}`;

export const feedEntries = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => feedEntry({ id: feedVideoId(index) }));

const wrapped = (head: string, entries: readonly string[]): string => `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns:media="http://search.yahoo.com/mrss/" xmlns="http://www.w3.org/2005/Atom">
 ${head}
 <author><name>A channel</name><uri>https://www.youtube.com/channel/${CHANNEL_ID}</uri></author>
 <published>2013-07-09T20:17:20+00:00</published>
 ${entries.join('\n ')}
</feed>`;

/** A channel's feed in the platform's form: without `UC` at its head. */
export const channelFeed = (...entries: readonly string[]): string => {
  const bare = CHANNEL_ID.slice(2);
  const head = `<id>yt:channel:${bare}</id><yt:channelId>${bare}</yt:channelId><title>The channel</title>`;
  return wrapped(head, entries);
};

export const playlistFeed = (...entries: readonly string[]): string => {
  const ids = `<id>yt:playlist:${PLAYLIST_ID}</id><yt:playlistId>${PLAYLIST_ID}</yt:playlistId>`;
  return wrapped(`${ids}<yt:channelId>${CHANNEL_ID}</yt:channelId><title>The playlist</title>`, entries);
};
