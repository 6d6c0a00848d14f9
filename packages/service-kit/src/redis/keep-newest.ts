import { byHashTag } from '@tds/contracts';
import type { Redis } from 'ioredis';
import { projectionLua } from './projection-codec.ts';

/** A value as `encodeProjection` writes it. */
type Versioned = {
  readonly key: string;
  readonly version: number;
  readonly text: string;
  readonly ttlSeconds: number;
};

/**
 * Keys, and for each: version, text, seconds to live. What is kept under a key and is not a text of ours is replaced.
 */
const script = `
for index, key in ipairs(KEYS) do
  local version, text, ttl = ARGV[3 * index - 2], ARGV[3 * index - 1], ARGV[3 * index]
  local kept = redis.pcall('GET', key)
  local keptVersion = type(kept) == 'string' and ${projectionLua.versionOf('kept')}
  if not keptVersion or keptVersion <= tonumber(version) then redis.call('SET', key, text, 'EX', ttl) end
end
`;

type WithScript = { tdsKeepNewest(keys: number, ...given: (string | number)[]): Promise<unknown> };

/** Keeps each value unless a newer one is there. All that is given in one turn of the event loop is one command for each hash tag. */
export const createKeepNewest = (redis: Redis): ((value: Versioned) => Promise<void>) => {
  redis.defineCommand('tdsKeepNewest', { lua: script });
  const scripted = redis as unknown as WithScript;
  let pending: Versioned[] = [];
  let sending: Promise<void> | null = null;
  const sendTogether = (values: readonly Versioned[]): Promise<unknown> => {
    const keys = values.map(({ key }) => key);
    const given = values.flatMap(({ version, text, ttlSeconds }) => [version, text, ttlSeconds]);
    return scripted.tdsKeepNewest(keys.length, ...keys, ...given);
  };
  const send = async (): Promise<void> => {
    // The rest of this turn comes along.
    await Promise.resolve();
    const values = pending;
    pending = [];
    sending = null;
    await Promise.all(byHashTag(values, ({ key }) => key).map(sendTogether));
  };
  return (value) => {
    pending.push(value);
    sending ??= send();
    return sending;
  };
};
