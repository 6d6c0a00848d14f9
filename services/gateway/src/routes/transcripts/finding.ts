import { createDeadline } from '@tds/base';
import { HOPS_MS, LISTING_WAIT_MS, MAX_RESOLVED_VIDEOS, type Principal, search } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { type ParsedFields, routes } from '@tds/http-api';
import { findVideoLinks } from '@tds/platform-addresses';
import type { RequestedPage } from '../../cache/index.ts';
import { chooseContents } from '../../domain/channel-tab.ts';
import { answerOrWaive } from '../../refunds/index.ts';
import { asCompressible, JSON_TYPE } from '../../wire/index.ts';
import { type AnswerTo, createAnswers, type Input, onRoute, type RouteDeps } from '../serve/index.ts';

/** The caller and its slot. Only keys reach these routes, so the ids are never null. */
const toCaller = ({ accountId, keyId, limitId, tier }: Principal) => ({
  accountId,
  keyId: keyId as string,
  limitId: limitId as string,
  tier,
});

const POLL_AFTER_SECONDS = 2;

type Query = ParsedFields<typeof routes.listVideos.query>;

const listAnswers = createAnswers(routes.listVideos, 200);
const pendingAnswers = createAnswers(routes.listVideos, 202);

/** The one source in the query. */
const readSource = ({ url, input }: Query): string => {
  const source = url ?? input;
  if (source === undefined) throw serviceError('unknown_query_mode', { message: 'Send url or input.' });
  if (url !== undefined && input !== undefined) {
    throw serviceError('conflicting_query_modes', { message: 'Send url or input, not both.' });
  }
  return source;
};

const pollUrl = ({ input, contents, offset }: RequestedPage): string =>
  `/v1/videos?${new URLSearchParams({ url: input, contents, offset: String(offset) })}`;

type ListInput = Input<typeof routes.listVideos>;

const ask = async (
  { call }: Pick<RouteDeps, 'call'>,
  { principal, callContext, isHead }: ListInput,
  { input, contents, offset }: RequestedPage,
) => {
  const waitMs = isHead ? 0 : LISTING_WAIT_MS;
  using deadline = createDeadline(waitMs + HOPS_MS, callContext.signal);
  const request = { ...toCaller(principal), input, contents, offset, waitMs, startsNothing: isHead };
  return await call(search.listVideos, request, { ...callContext, signal: deadline.signal });
};

type PageAnswer = Parameters<RouteDeps['listings']['keep']>[2];

const pageAnswer = (listing: Parameters<typeof listAnswers.json>[0]): PageAnswer =>
  asCompressible(listAnswers.composed(JSON_TYPE, Buffer.from(listAnswers.json(listing).body))) as PageAnswer;

/** Asks the search service and remembers pages of complete listings for this key. */
const readThrough = async (
  deps: Pick<RouteDeps, 'call' | 'listings'>,
  request: ListInput,
  pageRequest: RequestedPage,
): Promise<AnswerTo<typeof routes.listVideos>> => {
  const reply = await ask(deps, request, pageRequest);
  if (reply.state === 'pending') {
    const body = { status: 'pending' as const, poll_url: pollUrl(pageRequest) };
    return pendingAnswers.json(body, { headers: { 'Retry-After': String(POLL_AFTER_SECONDS) } });
  }
  const { state: _, freshForMs, ...listing } = reply;
  const answer = pageAnswer(listing);
  deps.listings.keep(pageRequest, { ...listing, freshForMs }, answer);
  return answer;
};

/** A page of a listing, or 202 if it takes longer than callers wait. HEAD starts no listing. */
const listVideos = onRoute(
  routes.listVideos,
  (deps, request) => {
    const { offset } = request.query;
    const keyId = request.principal.keyId as string;
    const input = readSource(request.query);
    const contents = chooseContents(input, request.query.contents);
    const pageRequest: RequestedPage = { keyId, input, contents, offset };
    return deps.listings.get(pageRequest) ?? readThrough(deps, request, pageRequest);
  },
  { wants: () => 'page' },
);

const resolveAnswers = createAnswers(routes.resolveVideos);

/** Extracts the video ids here, so that the text itself is not passed on. */
const resolveVideos = onRoute(routes.resolveVideos, async ({ call }, { body, principal, callContext }) => {
  const { videoIds, others, isTooMany } = findVideoLinks(body.text, MAX_RESOLVED_VIDEOS);
  if (isTooMany) throw serviceError('list_too_large');
  if (videoIds.length === 0 && others.length === 0) {
    throw serviceError('empty_list', { message: 'The text names no videos.' });
  }
  const request = { ...toCaller(principal), videoIds: [...videoIds] };
  const { found, notFound, unanswered, list } = await call(search.resolveVideos, request, callContext);
  const answer = resolveAnswers.json({
    found,
    notFound: [
      ...notFound.map((id) => ({ value: id, video_id: id, reason: 'unavailable' as const })),
      ...unanswered.map((id) => ({ value: id, video_id: id, reason: 'try_again' as const })),
      ...others.map(({ value, reason }) => ({ value, video_id: null, reason })),
    ],
    list,
  });
  return asCompressible(answer);
});

type SearchInput = Input<typeof routes.searchPage>;

const searchAnswers = createAnswers(routes.searchPage);

const toSearchRequest = ({ query, principal, requestId }: SearchInput) => {
  const { q, type, channel = null, continuation = null } = query;
  if (channel !== null && type !== 'video') throw serviceError('invalid_search_type');
  const { dailyCreditCap } = principal;
  return { ...toCaller(principal), dailyCreditCap, requestId, query: q, type, channel, continuation };
};

/** A page of results for one credit. A request that ends with a 5xx is waived, so that it costs nothing. */
const searchPage = onRoute(routes.searchPage, async (deps, input) => {
  if (input.isHead) {
    throw serviceError('not_cached', { message: 'HEAD starts no work, and a search is work. Use GET.' });
  }
  const request = toSearchRequest(input);
  const { accountId, keyId, requestId } = request;
  input.exchange.hasMovedBalance = true;
  return await answerOrWaive(deps, input, { accountId, keyId, requestId }, async () => {
    const reply = await deps.call(search.searchPage, request, input.callContext);
    const { results, continuation, creditsCharged, creditsLeft } = reply;
    if (creditsLeft !== undefined) input.exchange.newBalance = creditsLeft;
    const page = { results, continuation, has_more: continuation !== null };
    return asCompressible(searchAnswers.json(page, { creditsCharged }));
  });
});

export const findingRoutes = { listVideos, resolveVideos, searchPage };
