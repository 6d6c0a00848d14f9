import { PlatformError, platformError } from '../errors/platform-error.ts';
import type { Engine } from '../serving/engine.ts';
import { LANGUAGE } from '../transport/innertube-request.ts';
import type { Call } from '../types.ts';
import { ask, type Question } from './ask.ts';
import { isChannel, readFeedBody } from './reading/read-feed-body.ts';
import type { Feed, FeedRead } from './types.ts';

const feedRequest =
  (sourceId: string): Question<never>['request'] =>
  ({ headers }, { feedBytes }) => {
    const query = new URLSearchParams({ [isChannel(sourceId) ? 'channel_id' : 'playlist_id']: sourceId });
    return {
      method: 'GET',
      path: `/feeds/videos.xml?${query}`,
      headers: { 'accept-language': LANGUAGE, ...headers, accept: 'application/atom+xml, text/xml' },
      capBytes: feedBytes,
    };
  };

const askForFeed = (engine: Engine, sourceId: string, call: Call): Promise<Feed> =>
  ask(
    engine,
    {
      ...{ endpoint: 'feed', subject: sourceId, request: feedRequest(sourceId) },
      read(body) {
        const value = readFeedBody(body, sourceId);
        return { value, omitted: value.omitted };
      },
    },
    call,
  );

/** Reads a feed; every failure is an outcome. */
export const readFeed = async (engine: Engine, sourceId: string, call: Call): Promise<FeedRead> => {
  try {
    return { outcome: 'read', feed: await askForFeed(engine, sourceId, call) };
  } catch (thrown) {
    const error =
      thrown instanceof PlatformError ? thrown : platformError('upstream_error', { cause: thrown });
    return error.code === 'source_not_found' ? { outcome: 'missing' } : { outcome: 'failed', error };
  }
};
