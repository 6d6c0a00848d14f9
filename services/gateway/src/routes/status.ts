import { createHash } from 'node:crypto';
import { type Impairment, type PartState, pausesFetches } from '@tds/contracts';
import { API_VERSION, apiChanges, changesAtom, changeUrl, routes, type StatusBody } from '@tds/http-api';
import { asCompressible } from '../http/compression.ts';
import { memoize } from '../memoize.ts';
import { type Dependency, dependencies, type KnownStatus, type StatusWatch } from '../status/status-watch.ts';
import { listsTag } from './jobs/job-archive.ts';
import { createAnswers } from './route-answer.ts';
import { onRoute } from './route-handler.ts';

const noBounds = { p50_ms: null, p95_ms: null };

/** All known impairments of new work. */
export const listImpairments = ({ report, away }: KnownStatus): readonly Impairment[] => [
  ...new Set([...(report?.impaired ?? []), ...away]),
];

const toOverallStatus = (snapshot: KnownStatus, impaired: readonly Impairment[]): StatusBody['status'] => {
  if (dependencies.every((part) => snapshot.away.has(part))) return 'down';
  return impaired.length > 0 ? 'degraded' : 'operational';
};

/** A service that does not answer this gateway counts as down, whatever the status service observed. */
export const toStatusBody = (snapshot: KnownStatus): StatusBody => {
  const { report, away, checkedAt } = snapshot;
  const impaired = listImpairments(snapshot);
  const toState = (part: Dependency, state: PartState) => ({
    status: away.has(part) ? ('down' as const) : state,
  });
  return {
    status: toOverallStatus(snapshot, impaired),
    new_fetches: !pausesFetches(impaired),
    relay: toState('relay', report?.relay ?? 'unknown'),
    strategies: report?.strategies ?? [],
    translation: { status: report?.translation ?? 'unknown' },
    capacity: { status: report?.capacity ?? 'unknown' },
    canary: report?.canary ?? { status: 'unknown', checked_at: null },
    accounts: toState('accounts', 'operational'),
    credits: toState('credits', 'operational'),
    latency: report?.latency ?? { transcript_cache_hits: noBounds, transcript_cold: noBounds },
    checked_at: checkedAt.toISOString(),
  };
};

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
