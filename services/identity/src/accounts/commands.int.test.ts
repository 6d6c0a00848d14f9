import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readProjection } from '@tds/base/testing';
import { accountName, identity } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { eventually } from '@tds/test-kit';
import { createOperations } from '../test-support/identity-operations.ts';
import { createKeyClient } from '../test-support/keys-of-account.ts';
import { CLIENT_ADDRESS } from '../test-support/sign-in-requests.ts';
import { startIdentity, type TestIdentity } from '../test-support/start-identity.ts';

let running: TestIdentity;
beforeAll(async () => {
  running = await startIdentity();
});
afterAll(() => running?.stop());

const byKey = (keyDigest: string) => running.call(identity.authenticateKey, { keyDigest }, testContext());
const close = (accountId: string, confirm: string) =>
  running.call(identity.closeAccount, { accountId, confirm, clientAddress: CLIENT_ADDRESS }, testContext());

describe('closing an account', () => {
  it('requires the address of the account as confirmation', async () => {
    const { accountId, email, keyDigest } = await running.signUp();
    for (const slip of ['', 'yes', 'other@example.com', `${email}m`]) {
      await expect(close(accountId, slip)).rejects.toMatchObject({ code: 'confirmation_required' });
    }
    await expect(byKey(keyDigest)).resolves.toMatchObject({ status: 'active' });
    await expect(close(accountId, ` ${email.toUpperCase()} `)).resolves.toBeDefined();
  });

  it('revokes every key, ends every session, and emits one event', async () => {
    const { accountId, email, keyDigest, sessionDigest } = await running.signUp();
    const keys = createKeyClient(running, accountId);
    const revokedBefore = await keys.create();
    await keys.revoke(revokedBefore.id);
    const { keyDigest: rotated } = await keys.rotate((await keys.list()).keys.find(isActive)?.id ?? '');
    running.clock.advance(1_000);
    await close(accountId, email);
    const { keys: listed, live_keys: liveKeys } = await keys.list();
    expect([liveKeys, listed.map(({ status }) => status)]).toEqual([0, ['revoked', 'revoked', 'revoked']]);
    for (const digest of [keyDigest, rotated]) {
      await expect(byKey(digest)).resolves.toMatchObject({ status: 'closed' });
    }
    await expect(byKey(revokedBefore.keyDigest)).rejects.toMatchObject({ code: 'invalid_api_key' });
    const session = running.call(identity.authenticateSession, { sessionDigest }, testContext());
    await expect(session).rejects.toMatchObject({ code: 'session_required' });
    await expect(close(accountId, email)).rejects.toMatchObject({ code: 'account_closed' });
    const { rows } = await running.kit().db.query(
      `SELECT payload FROM messaging.outbox
       WHERE subject = 'evt.identity.account-status-changed.v1' AND payload ->> 'accountId' = $1`,
      [accountId],
    );
    expect(rows).toEqual([{ payload: { accountId, status: 'closed', version: 1 } }]);
  });

  it('is final: no new key, no sign-in, and no old key after an operator opens it again', async () => {
    const { accountId, email, keyDigest } = await running.signUp();
    const code = await running.askForCode(email);
    await close(accountId, email);
    await expect(createKeyClient(running, accountId).create()).rejects.toMatchObject({
      code: 'account_closed',
    });
    await expect(running.verify(email, code)).rejects.toMatchObject({ code: 'account_closed' });
    running.clock.advance(1_000);
    await createOperations(running).setStatus(email, 'active');
    await expect(byKey(keyDigest)).rejects.toMatchObject({ code: 'invalid_api_key' });
  });

  it('is mailed with what happens to the money, and explained when a code is asked for afterwards', async () => {
    const { accountId, email } = await running.signUp();
    await close(accountId, email);
    const mailed = (subject: string) =>
      eventually(() => {
        const mail = running.smtp.mails.find(
          ({ to, raw }) => to === email && raw.includes(`Subject: ${subject}`),
        );
        if (!mail) throw new Error(`no mail ${subject}`);
        return mail.raw.replaceAll('=\n', '');
      });
    expect(await mailed('Your account is closed')).toContain(
      'of which nothing was used is refunded to the card',
    );
    await running.call(identity.requestCode, { email, clientAddress: CLIENT_ADDRESS }, testContext());
    const explained = await mailed('No sign-in: your account is closed');
    expect(explained).toContain('closed for good');
    expect(explained).not.toMatch(/^\d{6}$/m);
  });

  it('leaves no key that was created at the same time', async () => {
    const { accountId, email } = await running.signUp();
    const keys = createKeyClient(running, accountId);
    await Promise.allSettled([keys.create(), close(accountId, email), keys.create()]);
    expect(await keys.list()).toMatchObject({ live_keys: 0 });
  });

  it('is rejected for a frozen account', async () => {
    const { accountId, email } = await running.signUp();
    await createOperations(running).setStatus(email, 'frozen');
    await expect(close(accountId, email)).rejects.toMatchObject({ code: 'account_frozen' });
  });
});

describe('a tier', () => {
  it('is part of principals, in answers and in projections', async () => {
    const { email, keyDigest, sessionDigest } = await running.signUp();
    const projected = () => readProjection(running.kit().redis, identity.principal, [keyDigest]);
    await expect(byKey(keyDigest)).resolves.toMatchObject({ tier: 'free' });
    await eventually(async () => expect(await projected()).toMatchObject({ tier: 'free' }));
    await createOperations(running).setTier(email, 'paid');
    expect((await projected())?.tier).not.toBe('free');
    await expect(byKey(keyDigest)).resolves.toMatchObject({ tier: 'paid' });
    await expect(
      running.call(identity.authenticateSession, { sessionDigest }, testContext()),
    ).resolves.toMatchObject({
      tier: 'paid',
    });
  });
});

describe('an account', () => {
  it('is returned with the requesting key, and without one for a session', async () => {
    const { accountId, email, key, keyId } = await running.signUp();
    const account = { id: accountId, email, status: 'active', tier: 'free' };
    const current = { id: keyId, name: 'default', prefix: key.slice(0, 12) };
    await expect(running.call(identity.getAccount, { accountId, keyId }, testContext())).resolves.toMatchObject(
      { account, keys: { live: 1, limit: 2, current } },
    );
    await expect(
      running.call(identity.getAccount, { accountId, keyId: null }, testContext()),
    ).resolves.toMatchObject({ account, keys: { live: 1, limit: 2, current: null } });
  });
});

describe('the name of an account', () => {
  const nameIt = (accountId: string, name: string | null, personId = accountId) =>
    running.call(
      identity.nameAccount,
      { accountId, by: { keyId: null, personId, clientAddress: CLIENT_ADDRESS }, name },
      testContext(),
    );

  it('is given and taken away by an owner, audited, and none at first', async () => {
    const { accountId, keyId } = await running.signUp();
    const shown = async () =>
      (await running.call(identity.getAccount, { accountId, keyId }, testContext())).account.name;
    expect(await shown()).toBeNull();
    for (const name of ['Harbour Research', 'دفتر می\u200cخواهم', null, 'x'.repeat(60)]) {
      await nameIt(accountId, name);
      await nameIt(accountId, name);
      expect(await shown()).toBe(name);
    }
    const { rows } = await running
      .kit()
      .db.query(`SELECT FROM audit_entries WHERE account_id = $1 AND action = 'account-named'`, [accountId]);
    expect(rows).toHaveLength(4);
  });

  it('is given by no one else, and not to a closed account', async () => {
    const [{ accountId, email }, other] = [await running.signUp(), await running.signUp()];
    const byOther = nameIt(accountId, 'Mine', other.accountId);
    await expect(byOther).rejects.toMatchObject({ code: 'role_required' });
    await close(accountId, email);
    await expect(nameIt(accountId, 'Late')).rejects.toMatchObject({ code: 'account_closed' });
  });

  it.each(['', ' ', 'a\u202eb', 'a\nb', '\u2066', 'a\u200b', '...', 'x'.repeat(61), '\ud800'])(
    'is no text that is empty or turns what stands beside it: %j',
    (name) => expect(accountName.safeParse(name).success).toBe(false),
  );
});

const isActive = ({ status }: { status: string }): boolean => status === 'active';
