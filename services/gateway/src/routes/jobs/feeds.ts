import { createKeyRing } from '@tds/base';
import { MINUTE_MS, monitorScheduler, SECOND_MS, transcriptFetcher } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { routes } from '@tds/http-api';
import type { GatewayConfig } from '../../config.ts';
import { isKnown } from '../../domain/entity-tags.ts';
import { memoize } from '../../domain/memoize.ts';
import { type CallContext, callRoute, createAnswers, onRoute, type RouteDeps } from '../serve/index.ts';
import { createAtom } from './feed-atom.ts';

const MAX_ENTRIES = 100;
const MAX_AGE_SECONDS = MINUTE_MS / SECOND_MS;

type Deps = Pick<RouteDeps, 'call' | 'config'>;
type Config = Pick<GatewayConfig, 'replaySecret' | 'publicUrl'>;

const macsOf = memoize(({ replaySecret }: Config) =>
  createKeyRing([{ id: 'atom', secret: replaySecret.reveal() }]).forUse('feeds'),
);
const urlOf = (config: Config, id: string): string =>
  `${config.publicUrl}/v1/feeds/${id}/${macsOf(config).sign(id)}`;

const render = async ({ call, config }: Deps, feedId: string, context: CallContext) => {
  const { accountId, ...found } = await call(monitorScheduler.getFeed, { feedId }, context);
  const monitorId = found.feed.monitor_id ?? undefined;
  const page = { accountId, limit: MAX_ENTRIES, offset: 0 };
  const content =
    monitorId !== undefined && found.monitor?.words?.length === 0
      ? await call(monitorScheduler.listMonitorVideos, { ...page, monitorId }, context)
      : await call(transcriptFetcher.listAccountMatches, { ...page, monitorId }, context);
  const feed = { ...found, subjectId: monitorId ?? accountId, ...content };
  return createAtom(feed, { self: urlOf(config, feedId), dashboard: `${config.publicUrl}/dashboard` });
};

const [feedAnswers, sameFeed] = [createAnswers(routes.readFeed, 200), createAnswers(routes.readFeed, 304)];
const FEED = { cacheControl: `private, max-age=${MAX_AGE_SECONDS}` };

/** An address that is none of ours costs no request of a service. Never compressed: it has its own secret address beside titles of others. */
const readFeed = onRoute(routes.readFeed, async ({ feeds, call, config }, input) => {
  const { params, headers: sent, callContext } = input;
  const { feedId: id, secret } = params;
  if (macsOf(config).check(id, secret) !== 'right') throw serviceError('feed_not_found');
  const { text, etag } = await feeds.forceFetch(id, {
    context: () => render({ call, config }, id, callContext),
  });
  if (text === null) throw serviceError('feed_not_found');
  const headers = { ETag: etag, 'X-Robots-Tag': 'noindex' };
  if (isKnown(sent['if-none-match'], etag)) return { ...sameFeed.empty({ headers }), ...FEED };
  return { ...feedAnswers.composed('application/atom+xml; charset=utf-8', text, { headers }), ...FEED };
});

const withUrl = <Feed extends { readonly id: string }>(config: Config, feed: Feed) => ({
  ...feed,
  url: urlOf(config, feed.id),
});

const listFeeds = callRoute(routes.listFeeds, {
  body: ({ feeds }, _input, { config }) => ({ feeds: feeds.map((feed) => withUrl(config, feed)) }),
});

const createFeed = callRoute(routes.createFeed, {
  request: ({ body }) => ({ monitorId: body.monitor_id ?? null, isEnded: false }),
  body: ({ feed }, _input, { config }) => {
    if (feed === null) throw new Error('the feed was not created');
    return { feed: withUrl(config, feed) };
  },
});

const endFeed = callRoute(routes.endFeed, {
  request: ({ query }) => ({ monitorId: query.monitor_id ?? null, isEnded: true }),
});

export const feedRoutes = { readFeed, listFeeds, createFeed, endFeed };
