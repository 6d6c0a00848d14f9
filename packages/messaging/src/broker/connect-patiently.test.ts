import { expect, it } from '@jest/globals';
import { AuthorizationError, type NatsConnection } from '@nats-io/nats-core';
import { connectWithRetry } from './connect-patiently.ts';

const connection = {} as NatsConnection;
const login = { service: 'status', url: 'broker' };

/** Fails with these errors, then connects; resolves to the complaints meanwhile. */
const saidThrough = async (failures: readonly Error[]): Promise<string[]> => {
  const left = [...failures];
  const said: string[] = [];
  const note = (level: string) => (message: string) => void said.push(`${level}: ${message}`);
  const dial = async () => {
    const failure = left.shift();
    if (failure) throw failure;
    return connection;
  };
  const log = { warn: note('warn'), error: note('error') };
  const { signal } = new AbortController();
  expect(await connectWithRetry(login, log, { dial, signal })).toBe(connection);
  return said;
};

it('a service that the broker does not know says so once, and is connected as soon as it does', async () => {
  const unknown = new AuthorizationError("'Authorization Violation'");
  expect(await saidThrough([unknown, unknown])).toEqual([
    'error: the broker does not know this user: is NATS_NKEY_SEED the one that was made for it?',
  ]);
});

it('a broker that is away, or too busy to look at a signature in time, is not taken for one that refuses', async () => {
  const late = new AuthorizationError("'Authentication Timeout'");
  expect(await saidThrough([new Error('ECONNREFUSED'), late])).toEqual(['warn: the broker is away']);
});
