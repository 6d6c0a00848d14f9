import { REDIS_MS } from '@tds/contracts';
import { Redis } from 'ioredis';
import { createBackoff } from '../async/backoff.ts';
import { DeadlinePassed, withDeadline } from '../async/deadline.ts';
import type { Log } from '../log/log.ts';

const CONNECT_TIMEOUT_MS = 2_000;
const SILENCE_TIMEOUT_MS = 5_000;
/** The client's timer also runs after the connection has closed, and keeps the process alive meanwhile. */
const DISCONNECT_TIMEOUT_MS = 100;
const RETRIES = { firstMs: 50, maxMs: 2_000 };

/** One line when the server goes and one when it is back, however often it is tried in between. */
const logOutages = (redis: Redis, log: Log): void => {
  let isAway = false;
  redis.on('error', (error) => {
    if (!isAway) log.warn('redis is away', { error });
    isAway = true;
  });
  redis.on('ready', () => {
    if (isAway) log.info('redis is back');
    isAway = false;
  });
};

/**
 * A server that became a replica refuses each write, and stays a replica: its name leads to the new one. Cached reads of other requests
 * share the connection, so it is left every two seconds at most.
 */
const leavesReplica = () => {
  let leftAt = Number.NEGATIVE_INFINITY;
  return ({ message }: Error): boolean => {
    const leaves = message.startsWith('READONLY') && performance.now() - leftAt >= RETRIES.maxMs;
    if (leaves) leftAt = performance.now();
    return leaves;
  };
};

/**
 * A client that never makes a caller wait: a command fails at once without a connection, and after a second with a
 * frozen server. Reconnects for ever. Just after creation there is no connection yet: see `redisReady`.
 */
export const createRedis = (
  url: string,
  { name, log, commandTimeoutMs = REDIS_MS }: { name: string; log?: Log; commandTimeoutMs?: number },
): Redis => {
  const backoff = createBackoff(RETRIES);
  const redis = new Redis(url, {
    connectionName: name,
    // The users have no right to set the client's version, and nothing needs it.
    disableClientInfo: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: commandTimeoutMs,
    connectTimeout: CONNECT_TIMEOUT_MS,
    disconnectTimeout: DISCONNECT_TIMEOUT_MS,
    // Drop a connection whose other end vanished silently, so that the next one can be tried.
    socketTimeout: SILENCE_TIMEOUT_MS,
    reconnectOnError: leavesReplica(),
    retryStrategy: () => Math.round(backoff.nextMs()),
  });
  redis.on('ready', backoff.reset);
  // Without a listener an outage would end the process; callers see it by their own commands.
  redis.on('error', () => {});
  if (log) logOutages(redis, log.child({ redis: name }));
  return redis;
};

/** Waits for the first connection; throws when there is none in time. */
export const redisReady = async (redis: Redis, timeoutMs = 5_000): Promise<void> => {
  if (redis.status === 'ready') return;
  const { promise, resolve } = Promise.withResolvers<void>();
  redis.once('ready', resolve);
  const createTimeout = () => new DeadlinePassed(`redis did not answer within ${timeoutMs} ms`);
  await withDeadline(promise, timeoutMs, createTimeout).finally(() => redis.off('ready', resolve));
};

/** A missing or wrong password; a command or key that this user may not use, also in a script. */
const pattern = /^(NOAUTH|NOPERM|WRONGPASS)|user executing the script can't/;

/**
 * The commands that the server refused this user since the connection last became ready: with other rights or another password come new
 * connections. `onFirst` gets each once.
 */
export const watchRefusals = (redis: Redis, onFirst: (refusal: string) => void): (() => readonly string[]) => {
  const refusals = new Set<string>();
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    const result = send(command, stream);
    command.promise.catch(({ message }: Error) => {
      const refusal = `redis refuses ${command.name}: ${message}`;
      // The caller holds the same promise and handles all other errors.
      if (!pattern.test(message) || refusals.has(refusal)) return;
      refusals.add(refusal);
      onFirst(refusal);
    });
    return result;
  };
  redis.on('ready', () => refusals.clear());
  return () => [...refusals];
};
