import { creditsLedger, type RequestOf, type SearchResult, search } from '@tds/contracts';
import { ServiceError, serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import type { Context } from '@tds/messaging';
import { assertHeld } from '@tds/reservations';
import type { SearchItem } from '@tds/video-platform';
import { admitSearch, uncountAttempt, uncountPage } from '../application/admit-search.ts';
import { deliverOrFail } from '../application/deliver-search.ts';
import { type CachedVideos, findCached } from '../application/found-video.ts';
import { findChannelId } from '../application/resolve-channel.ts';
import type { Deps } from '../deps.ts';
import { CONTINUATION_KEPT_MS, earlier } from '../domain/durations.ts';
import { digestCriteria, digestPage, type SearchCriteria, toPageReservation } from '../domain/search.ts';
import { waive } from '../store/search-sweeps.ts';
import { findByContinuation, findSearch, saveFailed } from '../store/searches.ts';

type SearchRequest = RequestOf<typeof search.searchPage>;
type Page = { readonly results: readonly SearchItem[]; readonly continuation: string | null };

/** The platform's token of a continuation. Throws `invalid_continuation` unless it is of the same account and question, and young. */
const findToken = async ({ db, now }: Deps, { continuation, accountId }: SearchRequest, question: string) => {
  if (continuation === null) return null;
  const before = await findByContinuation(db, continuation);
  const isOurs = before?.accountId === accountId && before.question === question;
  const isYoung = before !== null && before.createdAt > earlier(now(), CONTINUATION_KEPT_MS);
  if (!isOurs || !isYoung || before.nextToken === null) throw serviceError('invalid_continuation');
  return before.nextToken;
};

/** Holds the credit of an opened search. If the ledger refuses, the search was not admitted. */
const reserve = async ({ call, db, now }: Deps, request: SearchRequest, context: Context) => {
  const { query: q, type, requestId } = request;
  try {
    const credit = { ...toPageReservation(request), dailyCreditCap: request.dailyCreditCap };
    const reservation = { ...credit, coverage: 'all' as const, subject: { q, type } };
    const reply = await call(creditsLedger.reserveItems, reservation, context);
    assertHeld(reply, credit, now());
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // Without a refusal the ledger may hold the credit by now: the sweeper releases it.
    const isRefused = error.status < 500;
    const stored = await findSearch(db, requestId);
    const isEnded = await saveFailed(db, requestId, error.data, now(), isRefused ? 'none' : null);
    if (isEnded && stored) await uncountAttempt(db, stored);
    throw error;
  }
};

const idField = { video: 'video_id', channel: 'channel_id', playlist: 'playlist_id' } as const;

const toResult = (item: SearchItem, cached: CachedVideos): SearchResult => ({
  type: item.type,
  [idField[item.type]]: item.id,
  ...(item.title === null ? {} : { title: item.title }),
  ...(item.channelTitle === null ? {} : { channel_title: item.channelTitle }),
  duration_seconds: item.durationSeconds,
  view_count: item.viewCount,
  published_text: item.publishedText,
  has_captions: item.hasCaptions,
  thumbnail_url: item.thumbnailUrl,
  ...(item.type === 'video' ? { cached: cached.has(item.id) } : {}),
});

const toAnswer = async (deps: Deps, { results, continuation }: Page, context: Context) => {
  const ids = results.filter(({ type }) => type === 'video').map(({ id }) => id);
  const cached = await findCached(deps, ids, context);
  return { results: results.map((item) => toResult(item, cached)), continuation };
};

/** Opens a search, holds its credit and delivers the page. A page that this key just got is free. */
export const searchPage = onCommand(search.searchPage, async (deps: Deps, request, context) => {
  const { requestId: id, accountId, keyId, limitId = keyId, query, type, tier } = request;
  const { channel } = request;
  const channelId = channel === null ? null : await findChannelId(deps, channel, accountId, context);
  const question: SearchCriteria = { query, type, channelId };
  const questionDigest = digestCriteria(question);
  const token = await findToken(deps, request, questionDigest);
  const fingerprint = digestPage(questionDigest, request.continuation);
  const newSearch = { id, accountId, keyId, limitId, fingerprint, question: questionDigest };
  const admission = await admitSearch(deps, newSearch, tier);
  if (admission.kind !== 'opened') {
    const { search: before } = admission;
    if (before.state !== 'delivered')
      throw new ServiceError(before.error ?? serviceError('upstream_error').data);
    const page = await toAnswer(
      deps,
      { results: before.results ?? [], continuation: before.continuation },
      context,
    );
    return { ...page, creditsCharged: admission.kind === 'repeat' ? 1 : 0 };
  }
  await reserve(deps, request, context);
  const { creditsLeft, ...page } = await deliverOrFail(deps, { id, question, token, accountId }, context);
  const balance = creditsLeft === undefined ? {} : { creditsLeft };
  return { ...(await toAnswer(deps, page, context)), creditsCharged: 1, ...balance };
});

/** Voids a request that was answered with a 5xx, or prevents its charge. */
export const waiveSearch = onCommand(
  search.waiveSearch,
  async ({ db, messaging, now }: Deps, { requestId: id, accountId, keyId }) => {
    await messaging.transaction(db, async (tx, send) => {
      const isVoided = await waive(
        tx,
        { id, accountId, keyId },
        serviceError('service_unavailable').data,
        now(),
      );
      if (!isVoided) return;
      const voidedSearch = await findSearch(tx, id);
      if (voidedSearch) await uncountPage(tx, voidedSearch);
      await send.enqueue(search.releaseSearch, { searchId: id }, { key: id });
    });
    return {};
  },
);
