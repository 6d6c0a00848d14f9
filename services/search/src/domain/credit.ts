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
