import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { serveHelper } from '../support/helper.ts';
import { FEED_SIZE, filledVideoId } from '../support/monitor-fill.ts';

/** A platform with any number of channels that never change. It records when each is read. */

/** When each source was read, in milliseconds since 1970. */
export type Reads = ReadonlyMap<string, readonly number[]>;

const LATENCY_MS = 100;
let reads = new Map<string, number[]>();

const renderEntry = (channelId: string, index: number): string => {
  const id = filledVideoId(Number(channelId.slice('UC'.length)), index);
  return `<entry><id>yt:video:${id}</id><yt:videoId>${id}</yt:videoId><yt:channelId>${channelId}</yt:channelId>
  <title>Video ${id}</title><link rel="alternate" href="https://www.youtube.com/watch?v=${id}"/>
  <author><name>A channel</name><uri>https://www.youtube.com/channel/${channelId}</uri></author>
  <published>2026-11-20T10:00:00+00:00</published><updated>2026-11-20T10:00:00+00:00</updated>
  <media:group><media:title>Video ${id}</media:title></media:group></entry>`;
};

const renderFeed = (channelId: string): string => {
  const bare = channelId.slice('UC'.length);
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns:media="http://search.yahoo.com/mrss/" xmlns="http://www.w3.org/2005/Atom">
<id>yt:channel:${bare}</id><yt:channelId>${bare}</yt:channelId><title>A channel</title>
${Array.from({ length: FEED_SIZE }, (_, index) => renderEntry(channelId, index)).join('\n')}
</feed>`;
};

const server = createServer(async (request, response) => {
  const at = Date.now();
  const channelId = new URL(request.url ?? '', 'http://platform').searchParams.get('channel_id');
  await delay(LATENCY_MS);
  if (channelId === null) return void response.writeHead(404).end();
  reads.set(channelId, [...(reads.get(channelId) ?? []), at]);
  response.writeHead(200, { 'content-type': 'text/xml; charset=UTF-8' }).end(renderFeed(channelId));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');

serveHelper({
  origin: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  /** Returns and forgets the reads. */
  take: (): Reads => {
    const previous = reads;
    reads = new Map();
    return previous;
  },
});
