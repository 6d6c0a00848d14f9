import {
  CREDIT_BLOCKS,
  FREE_CREDITS_PER_MONTH,
  INVITATION_DAYS,
  MAX_PEOPLE,
  newAccountLimits,
  type TierLimits,
  tierLimits,
} from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { type Route, routes, toEnvelope } from '@tds/http-api';
import { markdownTable } from './markdown.ts';

/** The installation that the pages describe. */
export type Installation = {
  /** The public origin, without a trailing slash. */
  readonly publicUrl: string;
  readonly supportEmail: string;
  /** A video whose transcript this installation delivers, in the place of `VIDEO`. */
  readonly exampleVideo?: string;
  /** The address at which a package lies for ever, for the one at which the newest lies. */
  readonly downloadAt?: (newest: string) => string;
};

/** The video that pages and samples name: a well-known one of the platform. */
export const VIDEO = 'dQw4w9WgXcQ';

/** The request of the landing page. */
export const firstRequest = (publicUrl: string): string =>
  `curl -i -H "Authorization: Bearer $TRANSCRIPTS_API_KEY" \\
  "${publicUrl}${routes.getTranscript.path}?video_id=${VIDEO}&format=srt&raw=1"`;

export const number = (value: number): string => value.toLocaleString('en-US');

const GIBIBYTE = 2 ** 30;
const bytes = (value: number): string => `${number(value / GIBIBYTE)} GiB`;

/** Each limit of a tier, in the words of the page; the compiler asks for a missing one. */
const limitNames: Readonly<Record<keyof TierLimits, string>> = {
  requestsPerMinute: 'Requests a minute and key',
  concurrentColdFetches: 'New transcripts at once and key',
  coldFetchesPerDay: 'New transcripts a day and key (1 credit each)',
  cacheReadsPerDay: 'Cached transcripts a day and key (0 credits)',
  coldEnumerationsPerDay: 'New listings a day and key (0 credits)',
  liveKeys: 'Keys',
  activeJobs: 'Jobs at a time',
  videosPerJob: 'Videos of a job',
  newJobsPerDay: 'New jobs a day (0 credits)',
  searchPagesPerDay: 'Search pages a day and key (1 credit each)',
  searchAttemptsPerDay: 'Search requests a day and key, failures included',
  archiveBuildsPerDay: 'New archives a day (0 credits)',
  archiveBytes: 'Archives kept at a time',
  lookUpsPerDay: 'Videos looked up for resolved texts a day (0 credits)',
  monitors: 'Monitors (0 credits)',
  newMonitorsPerDay: 'New monitors a day',
  monitorKeysPerDay: 'Idempotency-Keys a day for monitors that exist',
};

const formatLimit = (limit: keyof TierLimits, value: number): string =>
  limit === 'archiveBytes' ? bytes(value) : number(value);

const limitsTable = (): string =>
  markdownTable(
    ['Limit', 'Free', 'Paid'],
    (Object.entries(limitNames) as [keyof TierLimits, string][]).map(([limit, name]) => [
      name,
      formatLimit(limit, tierLimits.free[limit]),
      formatLimit(limit, tierLimits.paid[limit]),
    ]),
  );

const costs: readonly (readonly [string, string, readonly Route[]])[] = [
  ['A transcript that is fetched for you', '1 credit', [routes.getTranscript]],
  ['A transcript that is cached', '0', [routes.getTranscript]],
  ['A transcript that a job fetches', '1 credit', [routes.createJob]],
  ['A page of search results', '1 credit; the same page within 60 seconds 0', [routes.searchPage]],
  [
    'Facts, languages and citations of a video, listings, resolving',
    '0',
    [routes.getVideo, routes.citeVideo, routes.listLanguages, routes.listVideos, routes.resolveVideos],
  ],
  [
    'Files, manifests and archives of a job',
    '0',
    [routes.getJobFile, routes.getJobArchive, routes.getJobDocument],
  ],
  ['Monitors, webhooks, keys, usage', '0', [routes.createMonitor]],
  ['Anything that fails', '0', []],
];

const costsTable = (): string =>
  markdownTable(
    ['What', 'Costs', 'Routes'],
    costs.map(([label, price, rows]) => [
      label,
      price,
      rows.map(({ method, path }) => `\`${method} ${path}\``).join(', '),
    ]),
  );

const EXAMPLE_REQUEST = '01900000-0000-7000-8000-000000000000';

const errorExample = (publicUrl: string): string => {
  const error = serviceError('language_unavailable', { extras: { available_languages: ['en'] } });
  return JSON.stringify(toEnvelope(error, EXAMPLE_REQUEST, publicUrl), null, 2);
};

/** The values that the texts name as `{{name}}`. */
export const buildFacts = ({
  publicUrl,
  downloadAt = (newest) => newest,
}: Installation): Readonly<Record<string, string>> => ({
  publicUrl,
  sdk: publicUrl + downloadAt('/downloads/sdk.tgz'),
  cli: publicUrl + downloadAt('/downloads/cli.tgz'),
  langchain: publicUrl + downloadAt('/downloads/langchain.tgz'),
  n8n: publicUrl + downloadAt('/downloads/n8n.tgz'),
  python: publicUrl + downloadAt('/downloads/transcript_delivery.py'),
  videoId: VIDEO,
  transcriptCurl: firstRequest(publicUrl),
  freeCredits: number(FREE_CREDITS_PER_MONTH),
  blocks: `${CREDIT_BLOCKS.slice(0, -1).map(number).join(', ')} and ${number(CREDIT_BLOCKS.at(-1) ?? 0)}`,
  limits: limitsTable(),
  costs: costsTable(),
  newAccountDays: number(newAccountLimits.days),
  newAccountFetches: number(newAccountLimits.coldFetchesPerDay),
  maxPeople: number(MAX_PEOPLE),
  invitationDays: number(INVITATION_DAYS),
  freeVideosPerJob: number(tierLimits.free.videosPerJob),
  paidVideosPerJob: number(tierLimits.paid.videosPerJob),
  freeMonitors: number(tierLimits.free.monitors),
  paidMonitors: number(tierLimits.paid.monitors),
  errorExample: errorExample(publicUrl),
});

/** Replaces each `{{name}}`; throws if a name has no value. */
export const fillIn = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`a page names ${name}, which has no value`);
    return value;
  });
