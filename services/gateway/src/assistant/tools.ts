import {
  LINK_DAYS,
  LISTING_PAGE,
  type LibraryPassage,
  MAX_LISTED_VIDEOS,
  ORIGINAL_LANGUAGE,
  uuid,
} from '@tds/contracts';
import { type Field, type Fields, field, languageField, type Route, routes } from '@tds/http-api';
import type { z } from 'zod';
import { readVideo } from '../domain/read-video.ts';
import { accountRoutes } from '../routes/account/index.ts';
import { jobRoutes, monitorRoutes } from '../routes/jobs/index.ts';
import { linkRoutes } from '../routes/links/index.ts';
import { callRoute, type OtherRowInput, type RouteDeps, type RouteHandler } from '../routes/serve/index.ts';
import { findingRoutes, transcriptRoutes } from '../routes/transcripts/index.ts';
import { type JsonTranscript, listPart, transcriptPart, type VideoList } from './answer-parts.ts';
import { results, sentenceFound } from './tool-results.ts';

/** About 2 KB of text. */
const PASSAGES_A_PART = 10;
const MONITORS = 100;

/** The arguments of a call after their rules. */
export type Arguments = Readonly<Record<string, unknown>>;
type Body = Readonly<Record<string, unknown>>;

/** A task of an assistant: the arguments of one route, and what of its answer the assistant reads. */
export type Tool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly handler: RouteHandler;
  /** Fields of the route under the same rules; nothing of a video's text ever stands here. */
  readonly fields: Fields;
  /** Earlier names of fields, which are still taken. */
  readonly earlier?: Readonly<Record<string, string>>;
  /** The shape of its results. */
  readonly result: z.ZodType;
  read(args: Arguments): Partial<OtherRowInput>;
  present(body: Body, args: Arguments): object;
};

const required = <Inner extends z.ZodType>({ schema, ...rest }: Field<z.ZodOptional<Inner>>): Field<Inner> => ({
  ...rest,
  schema: schema.unwrap() as Inner,
});

const keepBody = (body: Body): object => body;

/** A handler without its row's types: the fields of its row parse what it gets. */
const createTool = <R extends Route>(
  handler: { readonly row: R; readonly handle: (deps: RouteDeps, input: never) => unknown },
  tool: Omit<Tool, 'handler' | 'present'> & Partial<Pick<Tool, 'present'>>,
): Tool => ({ present: keepBody, ...tool, handler: handler as unknown as RouteHandler });

const { getVideo, getTranscript, listVideos, searchPage, searchLibrary, resolveVideos } = routes;
const { createJob, createLink, listMatches } = routes;

const video = required(getVideo.query.input);
const { fallback } = getTranscript.query;
/** A model that names no language means the words that are said, and no translation of them. */
const language = languageField(ORIGINAL_LANGUAGE);
const { schema: anyOffset } = routes.listJobVideos.query.offset;
const listOffset = anyOffset
  .refine((offset) => offset <= MAX_LISTED_VIDEOS)
  .meta({ type: 'integer', pattern: undefined, minimum: 0, maximum: MAX_LISTED_VIDEOS, default: 0 });

const {
  q: libraryWords,
  limit: _limit,
  job_id: _job,
  format: _format,
  after: _after,
  ...searchedFields
} = searchLibrary.query;
const { q: searchWords, ...searchFields } = searchPage.query;
/** Of searches. */
const earlier = { q: 'query' };
const { webhook_url: _override, receivers: _receivers, notify_email: _older, ...jobFields } = createJob.body;

export const tools: readonly Tool[] = [
  createTool(transcriptRoutes.getTranscript, {
    name: 'get_transcript',
    title: 'Get a transcript',
    description:
      'Returns the transcript of one video as lines of [seconds] text, a passage of some sentences each, in parts of at most 16,000 characters. If next_passage is a number, call again with from_passage = next_passage. Costs 1 credit unless it is cached; a failure costs nothing. translation served is a machine translation: say so. If status is pending, call again with the same arguments.',
    result: results.transcript,
    fields: {
      video,
      language,
      fallback,
      from_passage: field(anyOffset, 'invalid_offset', 'The first passage to return, from 0'),
    },
    read: ({ video: input, language: tag, fallback: mayFallBack }) => ({
      query: {
        video_id: readVideo({ video_id: undefined, input: input as string, url: undefined }),
        language: tag,
        fallback: mayFallBack,
        format: 'json',
        raw: false,
        passages: true,
      },
    }),
    present: (body, { from_passage: from }) =>
      'cues' in body ? transcriptPart(body as JsonTranscript, from as number) : { status: body.status },
  }),
  createTool(transcriptRoutes.getVideo, {
    name: 'get_video_facts',
    title: 'Get the facts of a video',
    description:
      'Returns what is known of a video, such as its title, its caption tracks and which languages are cached. Fetches nothing and costs nothing.',
    result: results.videoFacts,
    fields: { video },
    read: ({ video: input }) => ({ query: { input } }),
  }),
  createTool(transcriptRoutes.listLanguages, {
    name: 'list_languages',
    title: 'List the languages of a video',
    description:
      'Returns the caption tracks of a video, the language that is spoken, and whether it can be translated. Costs nothing.',
    result: results.languages,
    fields: { video },
    read: ({ video: input }) => ({ query: { input } }),
  }),
  createTool(findingRoutes.listVideos, {
    name: 'list_videos',
    title: 'List videos',
    description:
      'Lists the videos of a channel, a playlist or a list of resolve_videos, 50 at a time; if next_offset is a number, call again with offset = next_offset. Costs nothing. If status is pending, call again with the same arguments.',
    result: results.videoList,
    fields: {
      input: required(listVideos.query.url),
      contents: listVideos.query.contents,
      offset: field(listOffset, 'invalid_offset', 'The first video to return, from 0'),
    },
    read: ({ offset, ...query }) => ({
      query: { ...query, offset: (offset as number) - ((offset as number) % LISTING_PAGE) },
    }),
    present: (body, { offset }) => ('videos' in body ? listPart(body as VideoList, offset as number) : body),
  }),
  createTool(findingRoutes.resolveVideos, {
    name: 'resolve_videos',
    title: 'Find videos in a text',
    description:
      'Finds the links and ids of videos in any text and returns which of them exist, and a list:<key> of them for list_videos and start_job. Costs nothing.',
    result: results.resolvedVideos,
    fields: resolveVideos.body,
    read: (body) => ({ body: { ...body } }),
  }),
  createTool(findingRoutes.searchPage, {
    name: 'search',
    title: 'Search',
    description:
      'Searches videos, channels or playlists, or inside a channel. Each page costs 1 credit; continuation leads to the next one.',
    result: results.searchPage,
    fields: { query: searchWords, ...searchFields },
    earlier,
    read: ({ query: q, ...query }) => ({ query: { q, ...query } }),
  }),
  createTool(callRoute(routes.searchLibrary, {}), {
    name: 'search_library',
    title: 'Search in your transcripts',
    description:
      'Finds sentences with all words of query in the transcripts that the account has received, each with the address of its second. Costs nothing. If is_complete is false, total is too low: index says how many transcripts are searched so far, and whether to call again in a second. What get_transcript and start_job deliver is found some seconds later.',
    result: results.foundPassages,
    fields: { query: libraryWords, ...searchedFields },
    earlier,
    read: ({ query: q, ...query }) => ({ query: { q, ...query, limit: PASSAGES_A_PART } }),
    present: (body) => ({ ...body, results: (body.results as LibraryPassage[]).map(sentenceFound) }),
  }),
  createTool(monitorRoutes.listMonitors, {
    name: 'list_monitors',
    title: 'List monitors',
    description: 'Lists the channels and playlists that are watched, with the words of each. Costs nothing.',
    result: results.monitors,
    fields: {},
    read: () => ({ query: { limit: MONITORS, offset: 0 } }),
  }),
  createTool(callRoute(routes.listMatches, {}), {
    name: 'list_matches',
    title: 'List matches of monitors',
    description:
      'Lists new videos in which the words of your monitors were said, or of the one of monitor_id, newest first, with sentences and the addresses of their seconds. Costs nothing.',
    result: results.matches,
    fields: { monitor_id: listMatches.query.monitor_id, offset: listMatches.query.offset },
    read: (query) => ({ query: { ...query, limit: PASSAGES_A_PART } }),
  }),
  createTool(jobRoutes.createJob, {
    name: 'start_job',
    title: 'Start a job',
    description:
      'Fetches up to 500 transcripts in the background, from input (a channel, a playlist or a list) or from video_ids. Each costs 1 credit unless it is cached. The same call within two minutes starts one job. Follow it with get_job.',
    result: results.jobState,
    // Where results go is the account's decision, not that of a text that a model reads.
    fields: { ...jobFields, language },
    read: (body) => ({ body: { ...body } }),
  }),
  createTool(callRoute(routes.getJob, {}), {
    name: 'get_job',
    title: 'Get a job',
    description: 'Returns the state, progress and credits of a job and its first 100 videos. Costs nothing.',
    result: results.jobState,
    fields: { job_id: field(uuid, 'invalid_job_id', 'The id of the job') },
    read: ({ job_id: id }) => ({ params: { jobId: id } }),
  }),
  createTool(linkRoutes.createLink, {
    name: 'hand_on_link',
    title: 'Hand on a link',
    description:
      'Returns an address where anyone reads, for 30 days, the transcript received last of a video, or its quote from start to end. Free. Ask first.',
    result: results.link,
    fields: { video, start: createLink.body.start, end: createLink.body.end },
    read: ({ video: input, ...quote }) => ({ body: { ...quote, input, days: LINK_DAYS } }),
    present: ({ link }) => ({ url: (link as { url: string }).url }),
  }),
  createTool(accountRoutes.getAccount, {
    name: 'get_account',
    title: 'Get the account',
    description: 'Returns the credits, the use of today and the limits of the account. Costs nothing.',
    result: results.account,
    fields: {},
    read: () => ({}),
  }),
];
