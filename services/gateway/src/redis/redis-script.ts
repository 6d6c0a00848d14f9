import type { Redis } from 'ioredis';

type Script<Reply> = (keys: readonly string[], ...values: readonly (string | number)[]) => Promise<Reply>;

/** A script by its name, which Redis keeps after its first run. */
export const defineScript = <Reply>(redis: Redis, name: string, lua: string): Script<Reply> => {
  redis.defineCommand(name, { lua });
  const commands = redis as unknown as Readonly<Record<string, (...parts: unknown[]) => Promise<Reply>>>;
  return async (keys, ...values) => (await commands[name]?.(keys.length, ...keys, ...values)) as Reply;
};
