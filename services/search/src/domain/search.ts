import { createHash, randomBytes } from 'node:crypto';
import type { SearchKind } from '@tds/contracts';

/** What is searched for; all pages of one search have it in common. */
export type Question = {
  readonly query: string;
  readonly type: SearchKind;
  readonly channelId: string | null;
};

const digest = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

export const digestOfQuestion = ({ query, type, channelId }: Question): string =>
  digest(query, type, channelId);

/** The same for the same page of the same search. */
export const fingerprintOf = (question: string, continuation: string | null): string =>
  digest(question, continuation);

const CONTINUATION_BYTES = 24;

/** Stands for the platform's own token, which is kept here: nobody can guess or change it. */
export const newContinuation = (): string => randomBytes(CONTINUATION_BYTES).toString('base64url');

export const SEARCH_REASON = 'search';
/** A page is a reservation of one part. */
export const PAGE_PART = [1];

type Asked = {
  readonly accountId: string;
  readonly keyId: string;
  readonly limitId?: string | undefined;
  readonly requestId: string;
};

/** What a page costs, and whom: held under the id of its request. */
export const creditOf = ({ accountId, keyId, limitId, requestId }: Asked) => ({
  accountId,
  keyId,
  limitId,
  requestId,
  ref: requestId,
  reason: SEARCH_REASON,
  unit: 1,
  parts: PAGE_PART,
});
