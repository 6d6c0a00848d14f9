import { type Route, routeTable } from '@tds/http-api';
import fc from 'fast-check';
import { bodyOf } from './bodies.ts';
import { arbitraryHeaders } from './headers.ts';
import type { FuzzRequest } from './request.ts';
import { searchOf } from './search.ts';
import { arbitraryPath, methodOf } from './targets.ts';
import { twists } from './twists.ts';

const bodiless = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

const requestTo = (row: Route): fc.Arbitrary<FuzzRequest> =>
  methodOf(row).chain((method) => {
    const body = bodiless.has(method)
      ? fc.oneof({ weight: 30, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: bodyOf(row.body) })
      : bodyOf(row.body);
    return fc
      .tuple(
        arbitraryPath(row),
        searchOf(row.query),
        body,
        fc.oneof(
          { weight: 9, arbitrary: fc.constant(null) },
          { weight: 1, arbitrary: fc.constantFrom(...Object.keys(twists)) },
        ),
      )
      .chain(([path, search, sent, twist]) =>
        arbitraryHeaders(row.access, sent !== null).map((headers) => ({
          route: row.id,
          method,
          target: path + search,
          headers,
          body: sent,
          twist,
        })),
      );
  });

const anyRequest = fc.oneof(...routeTable.map(requestTo));

/** Made together, because fast-check deals from a seed and not from an index. */
const BLOCK = 500;
/** Further apart than any run is long, so that neighbouring seeds share nothing. */
const SEED_STRIDE = 1_000_003;

const blockOf = (seed: number, block: number): FuzzRequest[] =>
  fc.sample(anyRequest, { seed: (Math.imul(seed, SEED_STRIDE) + block) | 0, numRuns: BLOCK });

export const requestAt = (seed: number, index: number): FuzzRequest => {
  const request = blockOf(seed, Math.floor(index / BLOCK))[index % BLOCK];
  if (!request) throw new Error(`there is no request ${index}`);
  return request;
};

/** The first `count` requests of a seed, a block in memory at a time. */
export function* requestsOf(seed: number, count: number): Generator<readonly [number, FuzzRequest]> {
  for (let from = 0; from < count; from += BLOCK) {
    const block = blockOf(seed, from / BLOCK).slice(0, count - from);
    for (const [offset, request] of block.entries()) yield [from + offset, request];
  }
}
