import { latencyBounds, namedObject, observedCanary, observedStrategy, partState } from '@tds/contracts';
import { z } from 'zod';
import { defineRoutes, okBody } from '../define-route.ts';

const time = z.iso.datetime();
const part = namedObject('PartStatus', { status: partState });

const statusBody = okBody('Status', {
  status: z
    .enum(['operational', 'degraded', 'down'])
    .describe(
      'operational: everything works; degraded: new fetches are impaired or paused, cached transcripts are served; down: nothing behind the API answers',
    ),
  new_fetches: z.boolean().describe('Whether transcripts that are not cached can be fetched'),
  relay: part.describe('The fetchers and their routes to the platform'),
  strategies: z.array(observedStrategy).describe('The ways to ask the platform; one is enough'),
  translation: part.describe('Translations by the platform, as last checked'),
  capacity: part.describe('The daily capacity that all share; degraded: the part of free keys is used up'),
  canary: observedCanary.describe('A regular check that fetches known videos through every strategy'),
  accounts: part.describe('The service that knows keys'),
  credits: part.describe('The service that keeps credits'),
  latency: z
    .object({
      transcript_cache_hits: latencyBounds.describe('Successful answers with X-Cache: HIT'),
      transcript_cold: latencyBounds.describe(
        'Successful deliveries and 202s with X-Cache: MISS, from the request to its answer',
      ),
    })
    .describe(
      'Upper bounds for successful requests with a key in the last 24 hours; null below 20 requests. 60000 means a minute or more',
    ),
  checked_at: time.describe('When this was checked; latencies are some seconds older'),
});

const change = namedObject('ApiChange', {
  date: z.iso.date(),
  title: z.string(),
  text: z.string(),
  url: z.string(),
});

export const changesBody = okBody('Changes', {
  api_version: z.string(),
  feed_url: z.string().describe('The same list as an Atom feed'),
  changes: z.array(change),
});

export type StatusBody = Omit<z.input<typeof statusBody>, 'ok'>;

export const statusRoutes = defineRoutes('Status', {
  getStatus: {
    method: 'GET',
    path: '/v1/status',
    access: 'public',
    summary: 'Get the status of the service and its latency',
    description:
      "Needs no credential and costs nothing. At most ten seconds old, and answered even if every other route fails. unknown: no recent observation. /status is the same for people, with the last ninety days. Always 200: the body describes the service. Unknown parts impair nothing. capacity is degraded if the day's pool of free keys is used up, down if all fetches or proxy bytes of the day are. An incident lasts from the first impairment until none is left.",
    responses: { 200: { description: 'The current status', schema: statusBody } },
  },

  listChanges: {
    method: 'GET',
    path: '/v1/changes',
    access: 'public',
    summary: 'List the changes of this API, newest first',
    description:
      'Answers may gain fields without an entry; everything else that callers may have to act upon gets one.',
    responses: { 200: { description: 'Changes', schema: changesBody } },
  },

  changesFeed: {
    method: 'GET',
    path: '/v1/changes.atom',
    access: 'public',
    summary: 'Get the changes of this API as an Atom feed',
    responses: {
      200: { description: 'The feed', files: ['application/atom+xml'], headers: ['ETag', 'Vary'] },
      304: { description: 'If-None-Match names the current feed', headers: ['ETag'] },
    },
  },
});
