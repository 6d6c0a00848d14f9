import { createHash } from 'node:crypto';
import { API_VERSION, apiChanges, changesAtom, changeUrl, routes } from '@tds/http-api';
import { memoize } from '../../domain/memoize.ts';
import { type KnownStatus, type StatusWatch, toStatusBody } from '../../status/index.ts';
import { asCompressible } from '../../wire/index.ts';
import { createAnswers, listsTag, onRoute } from '../serve/index.ts';

const statusAnswers = createAnswers(routes.getStatus);
const changesAnswers = createAnswers(routes.listChanges);
const changedFeed = createAnswers(routes.changesFeed, 200);
const sameFeed = createAnswers(routes.changesFeed, 304);
const FEED = { cacheControl: 'public, max-age=3600' };

/** Rendered once per status round. */
const statusAnswer = memoize((snapshot: KnownStatus) => statusAnswers.json(toStatusBody(snapshot)));

type Config = { readonly config: { readonly publicUrl: string } };

export const statusRoutes = {
  getStatus: onRoute(routes.getStatus, ({ status }: { readonly status: StatusWatch }) =>
    statusAnswer(status.current()),
  ),

  listChanges: onRoute(routes.listChanges, ({ config: { publicUrl } }: Config) =>
    changesAnswers.json({
      api_version: API_VERSION,
      feed_url: `${publicUrl}${routes.changesFeed.path}`,
      changes: apiChanges.map((change) => ({ ...change, url: changeUrl(change, publicUrl) })),
    }),
  ),

  changesFeed: onRoute(routes.changesFeed, ({ config: { publicUrl } }: Config, { headers: requestHeaders }) => {
    const text = changesAtom(publicUrl);
    const headers = { ETag: `"${createHash('sha256').update(text).digest('base64url')}"` };
    const etags = (requestHeaders['if-none-match'] ?? '').replaceAll('W/', '');
    if (listsTag(etags, headers.ETag)) return { ...sameFeed.empty({ headers }), ...FEED };
    const feed = changedFeed.composed('application/atom+xml; charset=utf-8', text, { headers });
    return asCompressible({ ...feed, ...FEED });
  }),
};
