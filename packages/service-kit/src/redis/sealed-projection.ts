import type { Projection } from '@tds/contracts';
import type { z } from 'zod';
import type { Macs } from '../keys/key-ring.ts';
import { decodeProjection, encodeProjection } from './projection-codec.ts';

/** An instant by Redis's clock, in ms. */
type RedisTime = number;

/** The end and the value, as they are signed, follow the MAC; it all is a projected value like any other, with two fields more. */
const sealedPattern = /^\{"mac":"([^"]{0,64})",("until":(\d{1,16}),.*)$/s;

/** So that no value is believed under another key than its own. */
const signedText = (redisKey: string, rest: string): string => `${redisKey}\n${rest}`;

/** A projected value that only who holds the key ring can have written, and only for this key and until then. */
export const sealProjection = (macs: Macs, redisKey: string, value: unknown, until: RedisTime): string => {
  const rest = `"until":${until},${encodeProjection(value).slice(1)}`;
  return `{"mac":"${macs.sign(signedText(redisKey, rest))}",${rest}`;
};

/** `not-signed` is also what a release wrote that did not sign; `ended` was kept or put back beyond its end. */
export type RefusedBecause = 'not-signed' | 'unknown-key' | 'wrong-mac' | 'ended' | 'unreadable';

type Opened<P extends Projection> =
  | { readonly value: z.output<P['value']>; readonly until: RedisTime }
  | { readonly refused: RefusedBecause };

/** What `text` says at `now`, and until when, if it was sealed for this key. */
export const openProjection = <P extends Projection>(
  macs: Macs,
  projection: P,
  redisKey: string,
  text: string,
  now: RedisTime,
): Opened<P> => {
  const [, mac, rest, until] = sealedPattern.exec(text) ?? [];
  if (mac === undefined || rest === undefined) return { refused: 'not-signed' };
  const check = macs.check(signedText(redisKey, rest), mac);
  if (check !== 'right') return { refused: check === 'wrong' ? 'wrong-mac' : check };
  if (Number(until) < now) return { refused: 'ended' };
  const value = decodeProjection(projection, text);
  return value === null ? { refused: 'unreadable' } : { value, until: Number(until) };
};
