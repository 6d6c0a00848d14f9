import {
  HOPS_MS,
  LISTING_WAIT_MS,
  type ListingContents,
  type ParsedFields,
  routes,
  search,
  serviceError,
} from '@tds/contracts';
import { createDeadline } from '@tds/service-kit';
import { UNCOUNTED } from '../admission/admit-wire.ts';
import type { AskedPage, HeldPage } from '../cache/listing-memory.ts';
import type { Deps } from '../deps.ts';
import { JSON_TYPE } from '../http/answer.ts';
import { compressible } from '../http/compression.ts';
import { askingOf } from './asking.ts';
import { type AnswerTo, answersOf } from './route-answer.ts';
import { type Input, onRoute } from './route-handler.ts';

const POLL_AFTER_SECONDS = 2;

type Query = ParsedFields<typeof routes.listVideos.query>;

const page = answersOf(routes.listVideos, 200);
const pending = answersOf(routes.listVideos, 202);

/** The one source that the query names. */
const sourceOf = ({ url, input }: Query): string => {
  const given = url ?? input;
  if (given === undefined) throw serviceError('unknown_query_mode', { message: 'Send url or input.' });
  if (url !== undefined && input !== undefined) {
    throw serviceError('conflicting_query_modes', { message: 'Send url or input, not both.' });
  }
  return given;
};

/** The tab of a channel that an address names. */
const tabOf = (input: string): ListingContents | null => {
  const tab = /^[^?#]*\/(videos|shorts)\/?(?:[?#]|$)/i.exec(input)?.[1]?.toLowerCase();
  return tab === 'videos' || tab === 'shorts' ? tab : null;
};

const pollUrl = ({ input, contents, offset }: AskedPage): string =>
  `/v1/videos?${new URLSearchParams({ url: input, contents, offset: String(offset) })}`;

type ListInput = Input<typeof routes.listVideos>;

const ask = async (
  { call }: Pick<Deps, 'call'>,
  { principal, callContext, isHead }: ListInput,
  { input, contents, offset }: AskedPage,
) => {
  const waitMs = isHead ? 0 : LISTING_WAIT_MS;
  const deadline = createDeadline(waitMs + HOPS_MS, callContext.signal);
  try {
    const asked = { ...askingOf(principal), input, contents, offset, waitMs, startsNothing: isHead };
    return await call(search.listVideos, asked, { ...callContext, signal: deadline.signal });
  } finally {
    deadline.dispose();
  }
};

const pageAnswer = (listing: Parameters<typeof page.json>[0]): HeldPage =>
  compressible(page.composed(JSON_TYPE, Buffer.from(page.json(listing).body))) as HeldPage;

/** Asks the service, and remembers a page of a complete listing for this key. */
const readThrough = async (
  deps: Pick<Deps, 'call' | 'listings'>,
  given: ListInput,
  asked: AskedPage,
): Promise<AnswerTo<typeof routes.listVideos>> => {
  const reply = await ask(deps, given, asked);
  if (reply.state === 'pending') {
    const body = { status: 'pending' as const, poll_url: pollUrl(asked) };
    return pending.json(body, { headers: { 'Retry-After': String(POLL_AFTER_SECONDS) } });
  }
  const { state: _, freshForMs, ...listing } = reply;
  const answer = pageAnswer(listing);
  deps.listings.keep(asked, { ...listing, freshForMs }, answer);
  return answer;
};

/** A page of a listing; 202 while it is being made for longer than callers wait. HEAD begins none. */
export const listVideos = onRoute(
  routes.listVideos,
  (deps: Pick<Deps, 'call' | 'listings'>, given) => {
    const { offset } = given.query;
    const keyId = given.principal.keyId as string;
    const input = sourceOf(given.query);
    const contents = given.query.contents ?? tabOf(input) ?? 'all';
    const asked: AskedPage = { keyId, input, contents, offset };
    return deps.listings.get(asked) ?? readThrough(deps, given, asked);
  },
  { wantedKey: () => UNCOUNTED },
);
