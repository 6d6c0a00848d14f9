import { createHash } from 'node:crypto';
import { MINUTE_MS } from '@tds/contracts';
import type { Redis } from 'ioredis';
import { type RedisGuard, redisKeys } from '../redis/index.ts';

/** Clients give a call up after a minute, and then repeat it. */
const REMEMBERED_SECONDS = 120;

const digestParts = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/**
 * The Idempotency-Key of a tool call. Assistants repeat calls whose answer they lost: the same call of an API key within two minutes gets
 * the same one. Without Redis it is that of the minute.
 */
export const createCallKeys =
  (redis: Redis, guard: RedisGuard, now: () => Date) =>
  async (keyId: string | null, tool: string, args: object): Promise<string> => {
    const call = digestParts([keyId, tool, args]);
    const minute = String(Math.floor(now().getTime() / MINUTE_MS));
    const first = await guard.run(() =>
      redis.set(redisKeys.toolCall(call), minute, 'EX', REMEMBERED_SECONDS, 'NX', 'GET'),
    );
    return `mcp-${digestParts([call, first ?? minute])}`;
  };
export type GetCallKey = ReturnType<typeof createCallKeys>;
