import { createHash, randomBytes } from 'node:crypto';
import type { SearchKind } from '@tds/contracts';

/** The fields that all pages of one search share. */
export type SearchCriteria = {
  readonly query: string;
  readonly type: SearchKind;
  readonly channelId: string | null;
};

const digest = (...items: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(items)).digest('base64url');

export const digestCriteria = ({ query, type, channelId }: SearchCriteria): string =>
  digest(query, type, channelId);

/** Identifies one page of one search. */
export const digestPage = (question: string, continuation: string | null): string =>
  digest(question, continuation);

const CONTINUATION_BYTES = 24;

/** Replaces the platform's token, which stays here: callers can neither guess nor change it. */
export const newContinuation = (): string => randomBytes(CONTINUATION_BYTES).toString('base64url');

export const SEARCH_RESERVATION_REASON = 'search';
/** A page is a reservation of one item. */
export const PAGE_ITEMS = [1];

type SearchOwner = {
  readonly accountId: string;
  readonly keyId: string;
  readonly limitId?: string | undefined;
  readonly requestId: string;
};

/** The reservation of one page, under the id of its request. */
export const toPageReservation = ({ accountId, keyId, limitId, requestId }: SearchOwner) => ({
  accountId,
  keyId,
  limitId,
  requestId,
  ref: requestId,
  reason: SEARCH_RESERVATION_REASON,
  unit: 1,
  items: PAGE_ITEMS,
});
