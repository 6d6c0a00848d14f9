/** What a request cost, and its id for support. A value that an answer does not say is null. */
export type Meta = {
  readonly requestId: string | null;
  /** Credits charged for this answer; 0 if it came from the cache. */
  readonly charged: number | null;
  /** Credits that can be spent now. */
  readonly balance: number | null;
  readonly cache: 'HIT' | 'MISS' | null;
};

/** The body of an answer, with what the answer cost. */
export type Answered<Body> = Body & { readonly meta: Meta };

const toCount = (text: string | null): number | null => (text === null ? null : Number(text));

export const readMeta = ({ headers }: Pick<Response, 'headers'>): Meta => {
  const cache = headers.get('x-cache');
  return {
    requestId: headers.get('x-request-id'),
    charged: toCount(headers.get('x-credits-charged')),
    balance: toCount(headers.get('x-credits-balance')),
    cache: cache === 'HIT' || cache === 'MISS' ? cache : null,
  };
};

export const readAnswer = async <Body>(response: Response): Promise<Answered<Body>> => ({
  ...((await response.json()) as Body),
  meta: readMeta(response),
});
