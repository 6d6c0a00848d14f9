import { changesAtom, changeUrl } from '@tds/api-docs';
import { API_VERSION, apiChanges, routes } from '@tds/contracts';
import { compressible } from '../http/compression.ts';
import { memoize } from '../memoize.ts';
import type { KnownStatus } from '../status/known-status.ts';
import { toStatusBody } from '../status/status-body.ts';
import type { StatusWatch } from '../status/watch-status.ts';
import { answersOf } from './route-answer.ts';
import { onRoute } from './route-handler.ts';

const statusAnswers = answersOf(routes.getStatus);
const changesAnswers = answersOf(routes.listChanges);
const feedAnswers = answersOf(routes.changesFeed);

/** Written once for each round of looking, whoever asks. */
const statusAnswer = memoize((known: KnownStatus) => statusAnswers.json(toStatusBody(known)));

type Config = { readonly config: { readonly publicUrl: string } };

export const statusRoutes = {
  getStatus: onRoute(routes.getStatus, ({ status }: { readonly status: StatusWatch }) =>
    statusAnswer(status.known()),
  ),

  listChanges: onRoute(routes.listChanges, ({ config: { publicUrl } }: Config) =>
    changesAnswers.json({
      api_version: API_VERSION,
      feed_url: `${publicUrl}${routes.changesFeed.path}`,
      changes: apiChanges.map((change) => ({ ...change, url: changeUrl(change, publicUrl) })),
    }),
  ),

  changesFeed: onRoute(routes.changesFeed, ({ config: { publicUrl } }: Config) =>
    compressible(feedAnswers.composed('application/atom+xml; charset=utf-8', changesAtom(publicUrl))),
  ),
};
