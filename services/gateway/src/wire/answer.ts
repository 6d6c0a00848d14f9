import type { Buffer } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import type { ServiceError } from '@tds/errors';

/** What a route answers. The front adds the headers that every answer carries. */
export type Answer = {
  readonly status: number;
  readonly contentType?: string;
  readonly body?: Buffer | string;
  /** Writes and ends the response itself, in place of `body`: for streams and files too large for memory. */
  readonly takeOver?: (response: ServerResponse) => void;
  /** The size of what `takeOver` writes, if it is known. */
  readonly bytes?: number;
  /** Name, value, name, value ... */
  readonly headers?: readonly string[];
  readonly cache?: 'HIT' | 'MISS';
  readonly creditsCharged?: number;
  /** The failure that the body of a success reports: a failed tool call is an answer of its protocol. */
  readonly failure?: ServiceError;
  /** Set by `asCompressible`. */
  readonly isCompressible?: boolean;
  /** Set by `asLasting`. */
  readonly isLasting?: boolean;
  /** Default: `no-store`. */
  readonly cacheControl?: string;
};

export const JSON_TYPE = 'application/json; charset=utf-8';

export const jsonAnswer = (status: number, body: unknown, more: Partial<Answer> = {}): Answer => ({
  ...more,
  status,
  contentType: JSON_TYPE,
  body: JSON.stringify(body),
});
