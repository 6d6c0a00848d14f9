import { API_VERSION, apiChanges, changesAtom, changeUrl, routes } from '@tds/http-api';
import { etagOf, isKnown } from '../../domain/entity-tags.ts';
import { memoize } from '../../domain/memoize.ts';
import { type KnownStatus, toStatusBody } from '../../status/index.ts';
import { asCompressible } from '../../wire/index.ts';
import { createAnswers, onRoute } from '../serve/index.ts';

const statusAnswers = createAnswers(routes.getStatus);
const changesAnswers = createAnswers(routes.listChanges);
const changedFeed = createAnswers(routes.changesFeed, 200);
const sameFeed = createAnswers(routes.changesFeed, 304);
const FEED = { cacheControl: 'public, max-age=3600' };

/** Rendered once per status round. */
const statusAnswer = memoize((snapshot: KnownStatus) => statusAnswers.json(toStatusBody(snapshot)));

export const statusRoutes = {
  getStatus: onRoute(routes.getStatus, ({ status }) => statusAnswer(status.current())),

  listChanges: onRoute(routes.listChanges, ({ config: { publicUrl } }) =>
    changesAnswers.json({
      api_version: API_VERSION,
      feed_url: `${publicUrl}${routes.changesFeed.path}`,
      changes: apiChanges.map((change) => ({ ...change, url: changeUrl(change, publicUrl) })),
    }),
  ),

  changesFeed: onRoute(routes.changesFeed, ({ config: { publicUrl } }, { headers: sent }) => {
    const text = changesAtom(publicUrl);
    const headers = { ETag: etagOf(text) };
    if (isKnown(sent['if-none-match'], headers.ETag)) return { ...sameFeed.empty({ headers }), ...FEED };
    const feed = changedFeed.composed('application/atom+xml; charset=utf-8', text, { headers });
    return asCompressible({ ...feed, ...FEED });
  }),
};
