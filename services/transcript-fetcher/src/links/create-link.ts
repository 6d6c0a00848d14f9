import { isDeepStrictEqual } from 'node:util';
import {
  DAY_MS,
  MAX_LIVE_LINKS,
  MAX_NEW_LINKS_A_DAY,
  newId,
  type RequestOf,
  SECOND_MS,
  secondsToNextUtcDay,
  type transcriptFetcher,
} from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { crashPoint } from '@tds/messaging';
import type { Deps } from '../deps.ts';
import type { Db } from '../store/database.ts';
import { lookUpCache } from '../tracks/index.ts';
import { countLinks, findByKey, findReceived, insertLink, type LinkWish, lockLinks } from './store/links.ts';

type CreateRequest = RequestOf<typeof transcriptFetcher.createLink>;

const toWish = ({ videoId, language, start, end, days }: CreateRequest): LinkWish => ({
  videoId,
  language: language ?? null,
  start: start ?? null,
  end: end ?? null,
  days,
});

/** The spoken language and lists of languages are found by the cache alone. */
const findCached = async (sql: Deps['sql'], { videoId, language }: LinkWish, now: Date) => {
  if (language === null) return null;
  const answer = await lookUpCache(sql, { videoId, language, fallback: true, format: 'json' }, now);
  return answer.kind === 'hit' ? answer.hit.transcript.id : null;
};

/** Throws `invalid_quote`. */
const assertQuote = ({ start, end }: LinkWish, duration: number | null): void => {
  if (start === null && end === null) return;
  if (start === null || end === null || start >= end || start >= (duration ?? end))
    throw serviceError('invalid_quote');
};

/** Throws `link_limit` or `link_creation_cap`. The limit does not reset; `retry_after` is a day because every 429 needs one. */
const assertRoom = async (tx: Db, accountId: string): Promise<void> => {
  const { live, today } = await countLinks(tx, accountId);
  if (live >= MAX_LIVE_LINKS) throw serviceError('link_limit', { retryAfterSeconds: DAY_MS / SECOND_MS });
  if (today >= MAX_NEW_LINKS_A_DAY)
    throw serviceError('link_creation_cap', { retryAfterSeconds: secondsToNextUtcDay(new Date()) });
};

/** The id of a new link, or of the one that this Idempotency-Key has made before. Callers of one account take turns. */
export const createLink = async ({ db, messaging, sql, now }: Deps, request: CreateRequest) => {
  const wish = toWish(request);
  const cachedId = await findCached(sql, wish, now());
  return messaging.transaction(
    db,
    async (tx): Promise<{ readonly id: string; readonly isReplayed: boolean }> => {
      const { accountId, idempotencyKey } = request;
      await lockLinks(tx, accountId);
      const made = idempotencyKey === null ? null : await findByKey(tx, accountId, idempotencyKey);
      if (made !== null) {
        if (!isDeepStrictEqual(made.wish, wish)) throw serviceError('idempotency_key_reused');
        return { id: made.link.id, isReplayed: true };
      }
      const transcript = await findReceived(tx, accountId, wish, cachedId);
      if (transcript === null) throw serviceError('transcript_not_received');
      assertQuote(wish, transcript.duration);
      await assertRoom(tx, accountId);
      const id = newId();
      await insertLink(tx, { ...request, ...wish, id }, transcript);
      crashPoint('link-saved');
      return { id, isReplayed: false };
    },
  );
};
