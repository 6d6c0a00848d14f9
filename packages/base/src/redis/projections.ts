import { byHashTag, type Projection } from '@tds/contracts';
import type { Redis } from 'ioredis';
import type { z } from 'zod';
import { createBatcher } from '../async/batch.ts';
import type { Macs } from '../keys/key-ring.ts';

/** A projected value as Redis keeps it. The version stands first, so that a script compares it without parsing the value. */
export const encodeProjection = (value: unknown, version = 0): string =>
  `{"version":${version},"value":${JSON.stringify(value)}}`;

/** Null if the text is not ours, was cut off, or has another shape: as good as absent. */
export const decodeProjection = <P extends Projection>(
  projection: P,
  text: string,
): z.output<P['value']> | null => {
  try {
    const { data } = projection.value.safeParse((JSON.parse(text) as { value?: unknown } | null)?.value);
    return (data ?? null) as z.output<P['value']> | null;
  } catch {
    return null;
  }
};

/** The same for scripts that Redis runs; `text` is a Lua expression. */
export const projectionLua = {
  versionOf: (text: string): string => `tonumber(string.match(${text}, '^{"version":(%d+),'))`,
  valueOf: (text: string): string => `cjson.decode(${text}).value`,
};

/** A value as `encodeProjection` writes it. */
type VersionedValue = {
  readonly key: string;
  readonly version: number;
  readonly text: string;
  readonly ttlSeconds: number;
};

/**
 * Keys, and for each: version, text, seconds to live. A value that this codec did not write is replaced.
 */
const script = `
for index, key in ipairs(KEYS) do
  local version, text, ttl = ARGV[3 * index - 2], ARGV[3 * index - 1], ARGV[3 * index]
  local kept = redis.pcall('GET', key)
  local keptVersion = type(kept) == 'string' and ${projectionLua.versionOf('kept')}
  if not keptVersion or keptVersion <= tonumber(version) then redis.call('SET', key, text, 'EX', ttl) end
end
`;

type WithScript = { tdsKeepNewest(keys: number, ...args: (string | number)[]): Promise<unknown> };

/** Writes each value unless Redis has a newer one. Values of one turn of the event loop share a command per hash tag. */
export const createKeepNewest = (redis: Redis): ((value: VersionedValue) => Promise<void>) => {
  redis.defineCommand('tdsKeepNewest', { lua: script });
  const client = redis as unknown as WithScript;
  const sendTogether = (values: readonly VersionedValue[]): Promise<unknown> => {
    const keys = values.map(({ key }) => key);
    const args = values.flatMap(({ version, text, ttlSeconds }) => [version, text, ttlSeconds]);
    return client.tdsKeepNewest(keys.length, ...keys, ...args);
  };
  return createBatcher({
    call: async (values: readonly VersionedValue[]) => {
      await Promise.all(byHashTag(values, ({ key }) => key).map(sendTogether));
      return values.map(() => undefined);
    },
    maxBatch: Number.POSITIVE_INFINITY,
  });
};

type KeyParts<P extends Projection> = Parameters<P['key']>;
type ValueInput<P extends Projection> = z.input<P['value']>;

/**
 * Read models in Redis. While Redis is unreachable they do nothing, and throw no error.
 */
export type Projections = {
  /** Does nothing if a newer version is kept already. Versions are whole numbers from 0. */
  writeIfNewer<P extends Projection>(
    projection: P,
    keyParts: KeyParts<P>,
    value: ValueInput<P>,
    version: number,
  ): Promise<void>;
  remove<P extends Projection>(projection: P, keyParts: KeyParts<P>): Promise<void>;
};

export type ProjectionFailure = {
  readonly projection: string;
  readonly operation: 'write' | 'remove';
  readonly error: unknown;
};

/** Called whenever Redis did not answer: to be counted, not logged line by line. */
export type OnProjectionFailure = (failure: ProjectionFailure) => void;

const keyOf = (projection: Projection, keyParts: readonly unknown[]): string =>
  projection.key(...(keyParts as readonly string[]));

const assertVersion = (version: number): void => {
  if (!Number.isSafeInteger(version) || version < 0) throw new RangeError(`not a version: ${version}`);
};

export const createProjections = (redis: Redis, onFailure: OnProjectionFailure = () => {}): Projections => {
  const keepNewest = createKeepNewest(redis);
  const attempt = async (
    projection: Projection,
    operation: ProjectionFailure['operation'],
    work: () => Promise<unknown>,
  ): Promise<void> => {
    try {
      await work();
    } catch (error) {
      // Ignored: a command answers for a missing projection, and work must not fail because of Redis.
      onFailure({ projection: projection.wireName, operation, error });
    }
  };
  return {
    writeIfNewer: async (projection, keyParts, value, version) => {
      assertVersion(version);
      const text = encodeProjection(value, version);
      const key = keyOf(projection, keyParts);
      const { ttlSeconds } = projection;
      await attempt(projection, 'write', () => keepNewest({ key, version, text, ttlSeconds }));
    },
    remove: (projection, keyParts) =>
      attempt(projection, 'remove', () => redis.unlink(keyOf(projection, keyParts))),
  };
};

/** An instant by Redis's clock, in ms. */
type RedisTime = number;

/** The end and the value, as they are signed, follow the MAC; it all is a projected value like any other, with two fields more. */
const signedPattern = /^\{"mac":"([^"]{0,64})",("until":(\d{1,16}),.*)$/s;

/** Binds a value to its key. */
const signedText = (redisKey: string, payload: string): string => `${redisKey}\n${payload}`;

/** A projected value that only a holder of the key ring can write, for this key and until its end. */
export const signProjection = (macs: Macs, redisKey: string, value: unknown, until: RedisTime): string => {
  const payload = `"until":${until},${encodeProjection(value).slice(1)}`;
  return `{"mac":"${macs.sign(signedText(redisKey, payload))}",${payload}`;
};

/** `not-signed`: without a valid signature; `ended`: kept or restored beyond its end. */
export type RefusalReason = 'not-signed' | 'unknown-key' | 'wrong-mac' | 'ended' | 'unreadable';

type OpenedProjection<P extends Projection> =
  | { readonly value: z.output<P['value']>; readonly until: RedisTime }
  | { readonly refused: RefusalReason };

/** The value of `text` at `now`, and its end, if it was signed for this key. */
export const openProjection = <P extends Projection>(
  macs: Macs,
  projection: P,
  redisKey: string,
  text: string,
  now: RedisTime,
): OpenedProjection<P> => {
  const [, mac, payload, until] = signedPattern.exec(text) ?? [];
  if (mac === undefined || payload === undefined) return { refused: 'not-signed' };
  const check = macs.check(signedText(redisKey, payload), mac);
  if (check !== 'right') return { refused: check === 'wrong' ? 'wrong-mac' : check };
  if (Number(until) < now) return { refused: 'ended' };
  const value = decodeProjection(projection, text);
  return value === null ? { refused: 'unreadable' } : { value, until: Number(until) };
};
