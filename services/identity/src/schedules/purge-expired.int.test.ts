import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { context } from '../test-support/gateway-stand-in.ts';
import { type IdentityUnderTest, startIdentity } from '../test-support/identity-under-test.ts';

let identity: IdentityUnderTest;
beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.stop());

const HOUR_MS = 3_600_000;
const purge = () => identity.handlers.schedules['purge-expired'](context());
const rows = async (table: string): Promise<number> =>
  Number((await identity.kit.db.query(`SELECT count(*) FROM ${table}`)).rows[0].count);

describe('purging', () => {
  it('keeps what a rule still looks at and deletes it afterwards; accounts and keys stay', async () => {
    await identity.signUp();
    await purge();
    expect(await rows('sessions')).toBe(1);
    expect(await rows('sign_in_addresses')).toBe(1);
    expect(await rows('throttle_windows')).toBe(4);
    identity.clock.advance(12 * HOUR_MS);
    await purge();
    expect(await rows('sessions')).toBe(0);
    expect(await rows('sign_in_addresses')).toBe(1);
    expect(await rows('throttle_windows')).toBe(4);
    identity.clock.advance(13 * HOUR_MS);
    await purge();
    for (const table of ['sessions', 'sign_in_addresses', 'throttle_windows'])
      expect(await rows(table)).toBe(0);
    expect(await rows('accounts')).toBe(1);
    expect(await rows('api_keys')).toBe(1);
  });
});
