import { Buffer } from 'node:buffer';
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

/** Compressing a smaller body saves no packet. */
const MIN_BYTES = 1_400;

/**
 * Marks an answer as compressible if it is large enough. Never use it for an answer that shows a secret
 * (BREACH).
 */
export const asCompressible = <A extends Answer & { readonly body: Buffer | string }>(answer: A): A =>
  Buffer.byteLength(answer.body) < MIN_BYTES
    ? answer
    : {
        ...answer,
        isCompressible: true,
        headers: [...(answer.headers ?? []), 'Vary', 'Accept-Encoding'],
      };

/** An answer that is served for as long as the process lives: its first reader has it compressed well. */
export const asLasting = <A extends Answer & { readonly body: Buffer | string }>(answer: A): A => ({
  ...asCompressible(answer),
  isLasting: true,
});
