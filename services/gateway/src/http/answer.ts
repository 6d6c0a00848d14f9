import type { ServerResponse } from 'node:http';

/** What a route answers; the headers that every answer carries are added when it is written. */
export type Answer = {
  readonly status: number;
  readonly contentType?: string;
  readonly body?: Buffer | string;
  /** Writes the body and ends it, in place of `body`: for what is too large to be held, or comes over time. */
  readonly takeOver?: (response: ServerResponse) => void;
  /** Further headers: name, value, name, value ... */
  readonly headers?: readonly string[];
  readonly cache?: 'HIT' | 'MISS';
  readonly creditsCharged?: number;
  /** Made so by `compressible`. */
  readonly isCompressible?: boolean;
  /** Instead of `no-store`. */
  readonly cacheControl?: string;
};

export const JSON_TYPE = 'application/json; charset=utf-8';

export const jsonAnswer = (status: number, body: unknown, more: Partial<Answer> = {}): Answer => ({
  ...more,
  status,
  contentType: JSON_TYPE,
  body: JSON.stringify(body),
});
