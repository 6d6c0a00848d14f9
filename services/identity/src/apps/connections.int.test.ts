import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readProjection } from '@tds/base/testing';
import { createAccessToken, digestSecret, identity, MAX_CONNECTIONS, newId } from '@tds/contracts';
import { testContext as context } from '@tds/kit/testing';
import { eventually } from '@tds/test-kit';
import { createAppClient } from '../test-support/connected-apps.ts';
import { createOperations } from '../test-support/identity-operations.ts';
import { createKeyClient, readSlot, works } from '../test-support/keys-of-account.ts';
import { startIdentity, type TestIdentity } from '../test-support/start-identity.ts';

let running: TestIdentity;
let apps: ReturnType<typeof createAppClient>;
beforeAll(async () => {
  running = await startIdentity();
  apps = createAppClient(running);
});
afterAll(() => running?.stop());

const authenticate = (keyDigest: string) => running.call(identity.authenticateKey, { keyDigest }, context());
const projected = (keyDigest: string) => readProjection(running.kit().redis, identity.principal, [keyDigest]);

describe('a connected app', () => {
  it('works by its access tokens alone, as a key with its scopes, its cap and a slot of its own', async () => {
    const holder = await running.signUp();
    const [one, other] = [
      await apps.connect(holder),
      await apps.connect(holder, { scopes: ['read'], dailyCreditCap: null }),
    ];
    const [first, second] = [await apps.issue(one.grantId), await apps.issue(one.grantId)];
    const principal = {
      keyId: one.id,
      scopes: ['read', 'fetch'],
      dailyCreditCap: 5,
      accountId: holder.accountId,
    };
    expect(await authenticate(first)).toMatchObject(principal);
    expect(await authenticate(second)).toMatchObject(principal);
    const slots = [await readSlot(running, first), await readSlot(running, await apps.issue(other.grantId))];
    expect(new Set([...slots, await readSlot(running, holder.keyDigest)]).size).toBe(3);
    expect((await apps.list(holder)).map(({ id }) => id).toSorted()).toEqual([one.id, other.id].toSorted());
  });

  it('takes no place among the keys, and no key route knows it', async () => {
    const holder = await running.signUp();
    const keys = createKeyClient(running, holder.accountId);
    const before = await keys.list();
    const { id } = await apps.connect(holder);
    expect(await keys.list()).toEqual(before);
    for (const change of [keys.rotate(id), keys.revoke(id), keys.update(id, { name: 'mine' })])
      await expect(change).rejects.toMatchObject({ code: 'key_not_found' });
    expect((await keys.create()).status).toBe('active');
  });

  it('is mailed to the holder with what it may spend, and no part of the mail is a link of its choice', async () => {
    const holder = await running.signUp();
    await apps.connect(holder, { app: { name: 'Visit example.com now', host: 'example.com' } });
    await eventually(() => {
      const mail = running.smtp.mails.find(
        ({ to, raw }) => to === holder.email && raw.includes('An app was connected'),
      );
      expect(mail?.raw.replaceAll('=\r\n', '')).toContain('at most 5 credits a day');
      expect(mail?.raw).not.toMatch(/(Visit|at) example[.]com/);
    });
  });

  it('ends with all its tokens, for gateways that know them too, and its work is revoked', async () => {
    const holder = await running.signUp();
    const { id, grantId } = await apps.connect(holder);
    const tokens = [await apps.issue(grantId), await apps.issue(grantId)];
    await apps.save('RefreshToken', `refresh of ${grantId}`, { grantId });
    for (const token of tokens) {
      expect(await works(running, token)).toBe(true);
      await eventually(async () => expect(await projected(token)).not.toBeNull());
    }
    await apps.end(holder, id);
    for (const token of tokens) {
      expect(await works(running, token)).toBe(false);
      expect(await projected(token)).toBeNull();
    }
    expect(await apps.find('RefreshToken', `refresh of ${grantId}`)).toBeNull();
    await expect(apps.save('AccessToken', createAccessToken(), { grantId: 'unknown' })).rejects.toMatchObject({
      code: 'invalid_access_token',
    });
    const { phase } = await running.call(
      identity.getKeyPhase,
      { accountId: holder.accountId, keyId: id },
      context(),
    );
    expect(phase).toBe('revoked');
    await expect(apps.end(holder, id)).rejects.toMatchObject({ code: 'connection_not_found' });
  });

  it('is forgotten by the sweep as well, so a lost event delays its end by no more than the sweep', async () => {
    const holder = await running.signUp();
    const { id, grantId } = await apps.connect(holder);
    const token = await apps.issue(grantId);
    await authenticate(token);
    const entry = await eventually(async () => {
      const found = await running.kit().redis.get(identity.principal.key(token));
      expect(found).not.toBeNull();
      return String(found);
    });
    await apps.end(holder, id);
    await running.kit().redis.set(identity.principal.key(token), entry);
    await running.handlers().schedules.refreshPrincipals(context());
    expect(await projected(token)).toBeNull();
  });

  it('is refused to a stranger: another session makes none, and another account ends none', async () => {
    const [holder, stranger] = [await running.signUp(), await running.signUp()];
    const foreign = { ...holder, sessionDigest: stranger.sessionDigest };
    await expect(apps.connect(foreign)).rejects.toMatchObject({ code: 'session_required' });
    const { id } = await apps.connect(holder);
    await expect(apps.end(stranger, id)).rejects.toMatchObject({ code: 'connection_not_found' });
    await expect(apps.end(holder, holder.keyId)).rejects.toMatchObject({ code: 'connection_not_found' });
    expect(await apps.list(holder)).toHaveLength(1);
  });

  it('exists once for each grant, however often and at once it is allowed', async () => {
    const holder = await running.signUp();
    const grantId = newId();
    const made = await Promise.all(Array.from({ length: 5 }, () => apps.connect(holder, { grantId })));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(await apps.list(holder)).toHaveLength(1);
  });

  it('that signs in again keeps its connection, its tokens and its place, and may what is allowed now', async () => {
    const holder = await running.signUp();
    const signIn = async (clientId: string, more: object = {}) => {
      const grantId = newId();
      await apps.save('Grant', grantId, { grantId, payload: JSON.stringify({ clientId }) });
      return apps.connect(holder, { grantId, ...more });
    };
    const first = await signIn('a', { scopes: ['read'], dailyCreditCap: null });
    const payload = JSON.stringify({ grantId: first.grantId, nonce: '\u0000' });
    await apps.save('RefreshToken', `first of ${first.id}`, { grantId: first.grantId, payload });
    const token = await apps.issue(first.grantId);
    const again = await Promise.all(
      Array.from({ length: MAX_CONNECTIONS + 1 }, () => signIn('a', { scopes: ['read', 'jobs'] })),
    );
    expect(new Set([first, ...again].map(({ id }) => id)).size).toBe(1);
    expect(await apps.list(holder)).toMatchObject([{ scopes: ['read', 'jobs'], daily_credit_cap: 5 }]);
    expect(await authenticate(token)).toMatchObject({ scopes: ['read', 'jobs'], dailyCreditCap: 5 });
    const refresh = await apps.find('RefreshToken', `first of ${first.id}`);
    const { grantId } = JSON.parse(String(refresh?.payload));
    expect(await apps.find('Grant', grantId)).not.toBeNull();
    expect(await apps.use({ grantId }, [`first of ${first.id}`, `next of ${first.id}`])).not.toBeNull();
    // Allowed less, it may less at once, by the tokens that it has, and what it has begun stops.
    const tokenOf = async (scope: string) => {
      const secret = createAccessToken();
      const [connection] = await apps.list(holder);
      const grants = 'SELECT grant_id AS id FROM connections WHERE key_id = $1';
      const { id } = (await running.kit().db.query(grants, [connection?.id])).rows[0];
      await apps.save('AccessToken', secret, { grantId: id, scope });
      return digestSecret(secret);
    };
    const before = await tokenOf('read jobs');
    expect(await authenticate(before)).toMatchObject({ scopes: ['read', 'jobs'] });
    await signIn('a', { scopes: ['read'], dailyCreditCap: null });
    expect(await apps.list(holder)).toMatchObject([
      { scopes: ['read'], daily_credit_cap: null, person_id: holder.accountId },
    ]);
    for (const one of [token, before]) expect(await authenticate(one)).toMatchObject({ scopes: ['read'] });
    const phase = { accountId: holder.accountId, keyId: first.id };
    expect(await running.call(identity.getKeyPhase, phase, context())).toMatchObject({ phase: 'revoked' });
    const others = [await signIn('b'), await signIn('a', { app: { name: 'An assistant', host: 'b.example' } })];
    expect(new Set([first, ...others].map(({ id }) => id)).size).toBe(3);
    await apps.end(holder, first.id);
    expect((await signIn('a')).id).not.toBe(first.id);
  });

  it('is one of at most ten, also if all are made at once; an ended one makes room and leaves its day', async () => {
    const holder = await running.signUp();
    const made = await Promise.allSettled(
      Array.from({ length: MAX_CONNECTIONS + 2 }, (_, n) =>
        apps.connect(holder, { app: { name: `App ${n}`, host: 'app.example' } }),
      ),
    );
    const refused = made.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(2);
    expect((refused[0] as PromiseRejectedResult).reason).toMatchObject({ code: 'connection_limit' });
    const [first] = await apps.list(holder);
    const live = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const ended = live.find(({ id }) => id === first?.id) as (typeof live)[number];
    const slot = await readSlot(running, await apps.issue(ended.grantId));
    await apps.end(holder, ended.id);
    expect(await readSlot(running, await apps.issue((await apps.connect(holder)).grantId))).toBe(slot);
  });

  it('whose tokens have expired makes room, or else the longest unused one of the same name and host', async () => {
    const holder = await running.signUp();
    const app = (n: number) => ({ app: { name: `App ${n}`, host: 'localhost' } });
    const made: Awaited<ReturnType<typeof apps.connect>>[] = [];
    for (let n = 0; n < MAX_CONNECTIONS; n += 1) {
      made.push(await apps.connect(holder, app(n % 5)));
      await apps.save('RefreshToken', newId(), { grantId: String(made.at(-1)?.grantId) });
    }
    const ids = async () => (await apps.list(holder)).map(({ id }) => id);
    await expect(apps.connect(holder, app(7))).rejects.toMatchObject({ code: 'connection_limit' });
    const { db } = running.kit();
    const age = (connection: (typeof made)[number] | undefined, by: string) =>
      db.query(`UPDATE api_keys SET created_at = created_at - $2::interval WHERE id = $1`, [
        connection?.id,
        by,
      ]);
    await age(made[3], '1 minute');
    await apps.connect(holder, app(3));
    expect(await ids()).not.toContain(made[3]?.id);
    expect(await ids()).toContain(made[8]?.id);
    await db.query('DELETE FROM grant_records WHERE grant_id = $1', [made[0]?.grantId]);
    await age(made[0], '1 hour');
    await apps.connect(holder, app(7));
    expect(await ids()).not.toContain(made[0]?.id);
    expect(await ids()).toHaveLength(MAX_CONNECTIONS);
    await db.query('DELETE FROM grant_records WHERE grant_id = $1', [made[1]?.grantId]);
    await db.query(`UPDATE api_keys SET created_at = created_at - interval '91 days' WHERE id = ANY ($1)`, [
      [made[1]?.id, made[2]?.id],
    ]);
    await running.handlers().schedules.purgeExpired(context());
    expect(await ids()).not.toContain(made[1]?.id);
    expect(await ids()).toContain(made[2]?.id);
    await eventually(() =>
      expect(running.smtp.mails.some(({ to, raw }) => to === holder.email && raw.includes('90 days'))).toBe(
        true,
      ),
    );
  });

  it('ends when its account is closed, and nothing of it is kept but what the books name', async () => {
    const holder = await running.signUp();
    const { grantId } = await apps.connect(holder);
    const token = await apps.issue(grantId);
    await apps.save('Grant', grantId, { grantId });
    await createOperations(running).setStatus(holder.email, 'closed');
    expect(await apps.find('Grant', grantId)).toBeNull();
    expect((await authenticate(token)).status).toBe('closed');
    await expect(apps.connect(holder)).rejects.toMatchObject({ code: 'account_closed' });
  });
});
