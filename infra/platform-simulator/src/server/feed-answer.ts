import type { PlatformRequest } from '../faults/fault-scope.ts';
import { channelFeed, FEED_ENTRIES, playlistFeed } from '../wire/feed.ts';
import { firstVideos } from '../wire/list-page.ts';
import { plainPage } from '../wire/pages.ts';
import { type Answer, htmlAnswer } from './answer.ts';
import type { Simulation } from './simulation.ts';

export const FEED_TYPE = 'text/xml; charset=UTF-8';

/** No such source, or on the platform's bad days any. */
export const noFeed = (): Answer => htmlAnswer(plainPage('Error 404 (Not Found)!!1'), 404);

/** The Atom feed of `channel_id` or `playlist_id`: the first 15 videos of the list, upcoming ones too. */
export const feedAnswer = ({ shown }: Simulation, { parameters }: PlatformRequest): Answer => {
  const channelId = parameters.get('channel_id');
  const listId = channelId === null ? (parameters.get('playlist_id') ?? '') : `UU${channelId.slice(2)}`;
  const list = shown.list(listId);
  if (!list) return noFeed();
  const videos = firstVideos(list, FEED_ENTRIES, shown.video);
  return {
    status: 200,
    contentType: FEED_TYPE,
    headers: { 'cache-control': 'public, max-age=900', age: '0' },
    body: channelId === null ? playlistFeed(list, videos) : channelFeed(list.channel, videos),
  };
};
