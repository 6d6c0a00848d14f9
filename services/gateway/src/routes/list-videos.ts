import { LISTING_WAIT_MS, type ParsedFields, routes, search, serviceError } from '@tds/contracts';
import { createDeadline } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { askingOf } from './asking.ts';
import { answersOf } from './route-answer.ts';
import { onRoute } from './route-handler.ts';

const HOPS_MS = 3_000;
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

const pollUrl = (input: string, { contents, offset }: Query): string =>
  `/v1/videos?${new URLSearchParams({ url: input, contents, offset: String(offset) })}`;

/** A page of a listing; 202 while it is being made for longer than callers wait. HEAD begins none. */
export const listVideos = onRoute(
  routes.listVideos,
  async ({ call }: Pick<Deps, 'call'>, { query, principal, callContext, isHead }) => {
    const input = sourceOf(query);
    const { contents, offset } = query;
    const waitMs = isHead ? 0 : LISTING_WAIT_MS;
    const deadline = createDeadline(waitMs + HOPS_MS, callContext.signal);
    try {
      const asked = { ...askingOf(principal), input, contents, offset, waitMs, startsNothing: isHead };
      const reply = await call(search.listVideos, asked, { ...callContext, signal: deadline.signal });
      if (reply.state === 'pending') {
        const body = { status: 'pending' as const, poll_url: pollUrl(input, query) };
        return pending.json(body, { headers: { 'Retry-After': String(POLL_AFTER_SECONDS) } });
      }
      const { state: _, ...listing } = reply;
      return page.json(listing);
    } finally {
      deadline.dispose();
    }
  },
);
