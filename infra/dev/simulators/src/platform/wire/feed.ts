import { encode } from 'html-entities';
import type { Channel } from '../catalogue/channels.ts';
import type { Video } from '../catalogue/video.ts';
import type { VideoList } from '../catalogue/video-lists.ts';

export const FEED_ENTRIES = 15;

const SITE = 'https://www.youtube.com';
const escaped = (text: string): string => encode(text, { level: 'xml' });
const dateOf = (date: string): string => `${date.slice(0, '2026-10-31T00:00:00'.length)}+00:00`;

const author = ({ id, title }: Pick<Channel, 'id' | 'title'>): string =>
  ` <author>
  <name>${escaped(title)}</name>
  <uri>${SITE}/channel/${id}</uri>
 </author>`;

const entry = (video: Video): string => {
  const title = escaped(video.title);
  const page = video.isShort ? `${SITE}/shorts/${video.id}` : `${SITE}/watch?v=${video.id}`;
  return ` <entry>
  <id>yt:video:${video.id}</id>
  <yt:videoId>${video.id}</yt:videoId>
  <yt:channelId>${video.channel.id}</yt:channelId>
  <title>${title}</title>
  <link rel="alternate" href="${page}"/>
 ${author(video.channel)}
  <published>${dateOf(video.publishedAt)}</published>
  <updated>${dateOf(video.publishedAt)}</updated>
  <media:group>
   <media:title>${title}</media:title>
   <media:content url="${SITE}/v/${video.id}?version=3" type="application/x-shockwave-flash" width="640" height="390"/>
   <media:thumbnail url="https://i4.ytimg.com/vi/${video.id}/hqdefault.jpg" width="480" height="360"/>
   <media:description>${escaped(video.description)}</media:description>
   <media:community>
    <media:starRating count="0" average="5.00" min="1" max="5"/>
    <media:statistics views="${video.viewCount}"/>
   </media:community>
  </media:group>
 </entry>`;
};

const CREATED = '2013-07-09T20:17:20+00:00';

const feed = (self: string, head: string, owner: Channel, videos: readonly Video[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns:media="http://search.yahoo.com/mrss/" xmlns="http://www.w3.org/2005/Atom">
 <link rel="self" href="http://www.youtube.com/feeds/videos.xml?${self}"/>
${head}
${author(owner)}
 <published>${CREATED}</published>
${videos.map(entry).join('\n')}
</feed>`;

/** At the head of a channel's feed the platform writes the id without its `UC`. */
export const channelFeed = (channel: Channel, videos: readonly Video[]): string => {
  const bare = channel.id.slice(2);
  const head = ` <id>yt:channel:${bare}</id>
 <yt:channelId>${bare}</yt:channelId>
 <title>${escaped(channel.title)}</title>
 <link rel="alternate" href="${SITE}/channel/${channel.id}"/>`;
  return feed(`channel_id=${channel.id}`, head, channel, videos);
};

export const playlistFeed = ({ id, title, channel }: VideoList, videos: readonly Video[]): string => {
  const head = ` <id>yt:playlist:${id}</id>
 <yt:playlistId>${id}</yt:playlistId>
 <yt:channelId>${channel.id}</yt:channelId>
 <title>${escaped(title)}</title>`;
  return feed(`playlist_id=${id}`, head, channel, videos);
};

const DOUBLINGS = 30;
const entities = Array.from(
  { length: DOUBLINGS },
  (_, index) => `<!ENTITY e${index + 1} "&e${index};&e${index};">`,
).join('');

/** Entities that grow to a gigabyte in whatever expands them, and one that reads a file. */
export const hostileFeed = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE feed [<!ENTITY e0 "A">${entities}<!ENTITY file SYSTEM "file:///etc/passwd">]>
<feed xmlns="http://www.w3.org/2005/Atom"><title>&e${DOUBLINGS};&file;</title></feed>`;
