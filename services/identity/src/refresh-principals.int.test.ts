import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyRing, openProjection } from '@tds/base';
import { createTestPool, readProjection } from '@tds/base/testing';
import { identity, keyRingUses } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { eventually, KEY_RING, startTestRedis, type TestRedis } from '@tds/test-kit';
import { createCoreDeps } from './create-deps.ts';
import { refreshPrincipals } from './schedules.ts';
import { createProjectedPrincipals } from './store/projected-principals.ts';
import { createOperations } from './test-support/identity-operations.ts';
import { startIdentity, type TestIdentity } from './test-support/start-identity.ts';

const ring = keyRing().parse(KEY_RING);
let redis: TestRedis;
let running: TestIdentity;
beforeAll(async () => {
  const started = startTestRedis();
  running = await startIdentity({ redis: started });
  redis = await started;
});
const owned: (() => void)[] = [];
afterAll(async () => {
  for (const end of owned) end();
  await running.stop();
});

const byKey = (keyDigest: string) => running.call(identity.authenticateKey, { keyDigest }, testContext());
const projected = (keyDigest: string) => readProjection(running.kit().redis, identity.principal, [keyDigest]);
const isFresh = async () => (await readProjection(running.kit().redis, identity.principalsFresh, [])) !== null;
const sweep = () => running.handlers().schedules.refreshPrincipals(testContext());
const signUpProjected = async () => {
  const signedUp = await running.signUp();
  const principal = await byKey(signedUp.keyDigest);
  await eventually(async () => expect(await projected(signedUp.keyDigest)).not.toBeNull());
  return { ...signedUp, principal };
};

const leftMs = (keyDigest: string) => running.kit().redis.pttl(identity.principal.key(keyDigest));
/** Changes a row by its id without an event; `$2` is the current time. */
const change = (table: 'api_keys' | 'accounts', id: string, columns: string) =>
  running
    .kit()
    .db.query(`UPDATE ${table} SET ${columns.replaceAll('$2', '$2::timestamptz')} WHERE id = $1`, [
      id,
      running.clock.now(),
    ]);

/** Cuts identity off from its database, or reconnects it. */
const cutDatabase = async (cut: boolean): Promise<void> => {
  const admin = createTestPool(running.adminUrl);
  const { rows } = await admin.query('SELECT current_database() AS name');
  const name = `"${rows[0].name}"`;
  await admin.query(
    cut
      ? `REVOKE CONNECT ON DATABASE ${name} FROM identity_app`
      : `GRANT CONNECT ON DATABASE ${name} TO identity_app`,
  );
  if (cut)
    await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'identity_app'
    AND datname = current_database()`);
  await admin.end();
};

describe('refreshing principals', () => {
  it('starts soon after the service', async () => {
    await eventually(async () => expect(await isFresh()).toBe(true));
    expect(await running.kit().redis.pttl(identity.principalsFresh.key())).toBeLessThanOrEqual(15_000);
  });

  it("uses the database's clock, however wrong its own is", async () => {
    const [past, future] = [await signUpProjected(), await signUpProjected()];
    await change('api_keys', past.keyId, "revoke_at = $2 - $2 + clock_timestamp() - interval '1 second'");
    await change('api_keys', future.keyId, "revoke_at = $2 - $2 + clock_timestamp() + interval '1 hour'");
    const machine = { now: () => new Date('2001-01-01T00:00:00Z') };
    await refreshPrincipals(
      { ...createCoreDeps(running.kit(), running.environment), ...machine },
      testContext(),
    );
    expect(await projected(past.keyDigest)).toBeNull();
    expect(await projected(future.keyDigest)).not.toBeNull();
  });

  it('removes keys that were revoked or scheduled in the database, and nothing else', async () => {
    const [revoked, scheduled, untouched] = [
      await signUpProjected(),
      await signUpProjected(),
      await signUpProjected(),
    ];
    await change('api_keys', revoked.keyId, 'revoke_at = $2, changed_at = $2');
    await change('api_keys', scheduled.keyId, 'revoke_at = $2');
    await sweep();
    expect(await projected(revoked.keyDigest)).toBeNull();
    expect(await projected(scheduled.keyDigest)).toBeNull();
    expect(await projected(untouched.keyDigest)).toEqual(untouched.principal);
  });

  it('rewrites changed keys that work, so that they need no look-up for ten minutes', async () => {
    const [frozen, paid, capped, ending] = [
      await signUpProjected(),
      await signUpProjected(),
      await signUpProjected(),
      await signUpProjected(),
    ];
    await change(
      'accounts',
      frozen.accountId,
      `status = 'frozen', frozen_reason = 'operator', status_changed_at = $2`,
    );
    await change('accounts', paid.accountId, `tier = 'paid', tier_changed_at = $2`);
    await change('api_keys', capped.keyId, 'daily_credit_cap = 7, changed_at = $2');
    await change('api_keys', ending.keyId, `revoke_at = $2 + interval '1 minute', changed_at = $2`);
    await running.kit().redis.del(identity.principal.key(capped.keyDigest));
    await sweep();
    expect(await projected(frozen.keyDigest)).toEqual({ ...frozen.principal, status: 'frozen' });
    expect(await projected(paid.keyDigest)).toEqual({ ...paid.principal, tier: 'paid' });
    expect(await projected(capped.keyDigest)).toEqual({ ...capped.principal, dailyCreditCap: 7 });
    expect(await leftMs(capped.keyDigest)).toBeGreaterThan(590_000);
    expect(await leftMs(ending.keyDigest)).toBeLessThanOrEqual(60_000);
  });

  it('does not restore what a slow reader read before a revocation', async () => {
    const { keyDigest, keyId, principal } = await signUpProjected();
    const store = createProjectedPrincipals(running.kit().redis, ring);
    const readAfter = await store.time();
    await createOperations(running).revokeKey(keyId);
    await store.write([{ keyDigest, principal, lifeMs: 600_000 }], readAfter);
    expect(await projected(keyDigest)).toBeNull();
  });

  it('does not restore a key revoked between its read and its write', async () => {
    const { keyDigest, keyId } = await signUpProjected();
    await change('api_keys', keyId, 'daily_credit_cap = 7, changed_at = $2');
    const core = createCoreDeps(running.kit(), running.environment);
    const written: string[] = [];
    const write: typeof core.principals.write = async (entries, readAfter) => {
      written.push(...entries.map((entry) => entry.keyDigest));
      await createOperations(running).revokeKey(keyId);
      await core.principals.write(entries, readAfter);
    };
    const slow = { ...core, now: running.clock.now, principals: { ...core.principals, write } };
    await refreshPrincipals(slow, testContext());
    expect(written).toContain(keyDigest);
    expect(await projected(keyDigest)).toBeNull();
  });

  it('removes an entry that was restored meanwhile, for longer than its life', async () => {
    const { keyDigest, keyId, principal } = await signUpProjected();
    const store = createProjectedPrincipals(running.kit().redis, ring);
    await change('api_keys', keyId, 'revoke_at = $2, changed_at = $2');
    await sweep();
    running.clock.advance(14 * 60_000);
    await eventually(async () => {
      await store.write([{ keyDigest, principal, lifeMs: 600_000 }], await store.time());
      expect(await projected(keyDigest)).toEqual(principal);
    });
    await sweep();
    expect(await projected(keyDigest)).toBeNull();
  });

  it('sees a revocation by an instance whose clock is ahead', async () => {
    const { keyDigest, keyId } = await signUpProjected();
    running.clock.advance(5 * 60_000);
    await createOperations(running).revokeKey(keyId);
    running.clock.advance(-5 * 60_000);
    await expect(byKey(keyDigest)).rejects.toMatchObject({ code: 'invalid_api_key' });
    await sweep();
    expect(await projected(keyDigest)).toBeNull();
  });

  it('signs its entries for their key and end', async () => {
    const { keyDigest, principal } = await signUpProjected();
    await sweep();
    const macs = ring.forUse(keyRingUses.principals);
    const { principal: entry, principalsFresh: fresh } = identity;
    const [entryKey, freshKey] = [entry.key(keyDigest), fresh.key()];
    const read = async (key: string) => (await running.kit().redis.get(key)) ?? '';
    const [entryText, freshText] = [await read(entryKey), await read(freshKey)];
    const now = await createProjectedPrincipals(running.kit().redis, ring).time();
    expect(openProjection(macs, entry, entryKey, entryText, now)).toMatchObject({ value: principal });
    expect(openProjection(macs, fresh, freshKey, freshText, now)).toMatchObject({ value: '1' });
    const ended = { refused: 'ended' };
    expect(openProjection(macs, fresh, freshKey, freshText, now + 16_000)).toEqual(ended);
    expect(openProjection(macs, entry, entryKey, entryText, now + 601_000)).toEqual(ended);
  });

  it('renews freshness from the time before its read, so a suspended sweeper renews nothing', async () => {
    // A separate logical database, in which no schedule renews anything.
    const own = running.kit().redis.duplicate({ db: 1 });
    owned.push(() => own.disconnect());
    await once(own, 'ready');
    const store = createProjectedPrincipals(own, ring);
    const freshMs = () => own.pttl(identity.principalsFresh.key());
    const now = await store.time();
    await store.renewFreshness(now - 60_000);
    await store.renewFreshness(now - 15_000);
    expect(await freshMs()).toBe(-2);
    await store.renewFreshness(now - 10_000);
    expect(await freshMs()).toBeLessThanOrEqual(5_000);
    await store.renewFreshness(now);
    expect(await freshMs()).toBeGreaterThan(10_000);
    await store.renewFreshness(now - 10_000);
    expect(await freshMs()).toBeGreaterThan(10_000);
  });

  it('renews no freshness while the database is away, and resumes after it returns', async () => {
    await sweep();
    await cutDatabase(true);
    await expect(sweep()).rejects.toThrow();
    expect(await isFresh()).toBe(true);
    await eventually(async () => expect(await isFresh()).toBe(false), { everyMs: 200 });
    await cutDatabase(false);
    await eventually(async () => expect(await isFresh()).toBe(true), { everyMs: 200 });
  });

  it('leaves no old entry if the write is late, here by a suspended Redis', async () => {
    const { keyDigest, principal } = await signUpProjected();
    const store = createProjectedPrincipals(running.kit().redis, ring);
    await store.remove([keyDigest]);
    const readAfter = await store.time();
    redis.pause();
    const late = store.write([{ keyDigest, principal, lifeMs: 600_000 }], readAfter);
    // The client gave up, but the command waits in the server's socket.
    await expect(late).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 2_200));
    redis.resume();
    await eventually(async () => expect(await store.time()).toBeGreaterThan(readAfter + 2_000));
    expect(await projected(keyDigest)).toBeNull();
  });

  it('is not needed to sign in or to authenticate: both work without Redis', async () => {
    await redis.kill();
    const { keyDigest, keyId } = await running.signUp();
    await expect(byKey(keyDigest)).resolves.toMatchObject({ keyId });
    expect(await createOperations(running).revokeKey(keyId)).toBe(true);
    await expect(byKey(keyDigest)).rejects.toMatchObject({ code: 'invalid_api_key' });
    await expect(sweep()).rejects.toThrow();
    await redis.start();
    await eventually(async () => expect(await isFresh()).toBe(true), { everyMs: 100 });
  });
});
