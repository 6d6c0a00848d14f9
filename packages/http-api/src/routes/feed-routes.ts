import { monitorId, monitorScheduler, readerFeed, transcriptFetcher } from '@tds/contracts';
import { z } from 'zod';
import { pathId } from '../common-fields.ts';
import { defineRoutes, field, okAnswer } from '../define-route.ts';

const feed = readerFeed.extend({ url: z.string().describe('Who has it reads the feed') }).meta({ id: 'Feed' });
const ofMonitor = {
  monitor_id: field(monitorId.optional(), 'invalid_monitor_id', 'The monitor; without it all matches'),
};
const atom = { headers: ['ETag', 'X-Robots-Tag'] } as const;

export const feedRoutes = defineRoutes('Monitors', {
  listFeeds: {
    method: 'GET',
    path: '/v1/feeds',
    calls: [monitorScheduler.listFeeds],
    access: 'session',
    summary: 'List the Atom feeds of the account',
    description: 'For sessions alone: what a key or an app can read ends with it.',
    responses: { 200: okAnswer('The feeds', 'FeedList', { feeds: z.array(feed) }) },
  },

  createFeed: {
    method: 'POST',
    path: '/v1/feeds',
    calls: [monitorScheduler.changeFeed],
    access: 'session',
    summary: 'Create an Atom feed, or renew its address',
    description:
      'The feed of a monitor with words has its matches, that of another one its new videos, and without monitor_id it has the matches of all. An earlier address ends within a minute.',
    body: ofMonitor,
    responses: { 201: okAnswer('The feed', 'FeedCreated', { feed }) },
  },

  endFeed: {
    method: 'DELETE',
    path: '/v1/feeds',
    calls: [monitorScheduler.changeFeed],
    access: 'session',
    summary: 'End an Atom feed',
    description: 'Its address answers 404 within a minute, as an unknown one does.',
    query: ofMonitor,
    responses: { 200: okAnswer('Ended', 'FeedEnded', {}) },
  },

  readFeed: {
    method: 'GET',
    path: '/v1/feeds/{feedId}/{secret}',
    calls: [monitorScheduler.getFeed, monitorScheduler.listMonitorVideos, transcriptFetcher.listAccountMatches],
    access: 'public',
    params: {
      feedId: pathId('feed', 'feed_not_found'),
      secret: field(z.string(), 'feed_not_found', 'The secret of its address'),
    },
    summary: 'Read an Atom feed, without a credential',
    description:
      'The newest 100 matches, with their sentences and seconds, or videos, at most a minute old. Titles lead to the transcript in the dashboard. Costs 0 credits. Not found while the account is frozen or closed.',
    responses: {
      200: { description: 'The feed', files: ['application/atom+xml'], ...atom },
      304: { description: 'If-None-Match names the current feed', ...atom },
    },
    unreachable: ['monitor_not_found'],
  },
});
