import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { billing, identity } from '@tds/contracts';
import { createCaller, createFake, observeService, startHarness, testContext } from '@tds/kit/testing';
import { eventually, KEY_RING } from '@tds/test-kit';
import { service } from './index.ts';
import { PEPPER } from './test-support/start-identity.ts';

const start = async () => {
  const harness = await startHarness({ databases: { identity: 'identity', billing: 'messaging' } });
  const [fake, caller, own] = [
    createFake(billing),
    createCaller(identity, identity.accountStatusChanged),
    observeService(service),
  ];
  await harness.start(own.service, { SMTP_URL: 'smtp://127.0.0.1:1', PEPPER, KEY_RING });
  await harness.start(caller.service);
  await harness.start(fake.service);
  return { harness, fake, own, call: caller.call, statuses: caller.received(identity.accountStatusChanged) };
};
let running: Awaited<ReturnType<typeof start>>;
beforeAll(async () => {
  running = await start();
});
afterAll(() => running.harness.stop());

const buyer = async (email = `${randomUUID()}@example.com`) => {
  const accountId = randomUUID();
  const text = 'INSERT INTO accounts (id, email, mailbox, created_at) VALUES ($1, $2, $2, now())';
  await running.own.kit().db.query(text, [accountId, email]);
  return { accountId };
};
const readAccount = async (accountId: string) =>
  (await running.call(identity.getAccount, { accountId, keyId: null }, testContext())).account;
let version = 0;
/** Emits the event and waits for its effect. */
const customerChanged = async (
  accountId: string,
  tier: 'free' | 'paid',
  isDisputed: boolean,
  at = ++version,
) => {
  const customer = { accountId, tier, isDisputed, version: at };
  const before = running.own.handled(billing.customerChanged).length;
  await running.fake.emit(billing.customerChanged, customer);
  await eventually(() => expect(running.own.handled(billing.customerChanged).length).toBeGreaterThan(before));
  return readAccount(accountId);
};
const setStatus = (accountId: string, status: string) =>
  running.own.kit().db.query(
    `UPDATE accounts SET status = $2, frozen_reason = CASE $2 WHEN 'frozen' THEN 'operator' END,
         status_version = status_version + 1 WHERE id = $1`,
    [accountId, status],
  );

describe('the address of a buyer', () => {
  const isClosed = (email: string) => running.call(identity.isAddressClosed, { email }, testContext());

  it('is closed with its account, however it is spelt; one without an account is open, and gets none', async () => {
    const name = randomUUID();
    const email = `${name}@example.com`;
    expect(await isClosed(email)).toEqual({ isClosed: false });
    const { accountId } = await buyer(email);
    expect(await isClosed(email)).toEqual({ isClosed: false });
    await setStatus(accountId, 'closed');
    expect(await isClosed(` ${name.toUpperCase()}@Example.com`)).toEqual({ isClosed: true });
    await expect(isClosed('no-address')).rejects.toMatchObject({ code: 'invalid_email' });
  });

  it('is rejected if it is disposable, even with an account, so the answer reveals none', async () => {
    const admit = (email: string) => running.call(identity.admitAddress, { email }, testContext());
    const email = `${randomUUID()}@mailinator.com`;
    await expect(admit(email)).rejects.toMatchObject({ code: 'disposable_email' });
    await buyer(email);
    await expect(admit(email)).rejects.toMatchObject({ code: 'disposable_email' });
    await expect(admit('no-address')).rejects.toMatchObject({ code: 'invalid_email' });
    await admit(`${randomUUID()}@example.com`);
  });
});

describe('events about purchases', () => {
  it('set the tier, up and down, to that of the newest version', async () => {
    const { accountId } = await buyer();
    expect(await customerChanged(accountId, 'paid', false)).toMatchObject({ tier: 'paid', status: 'active' });
    expect(await customerChanged(accountId, 'free', false)).toMatchObject({ tier: 'free' });
    expect(await customerChanged(accountId, 'paid', true, 1)).toMatchObject({
      tier: 'free',
      status: 'active',
    });
  });

  it('freeze the account during a dispute', async () => {
    const { accountId } = await buyer();
    expect(await customerChanged(accountId, 'paid', true)).toMatchObject({ status: 'frozen' });
    expect(await customerChanged(accountId, 'free', true)).toMatchObject({ status: 'frozen' });
    expect(await customerChanged(accountId, 'paid', false)).toMatchObject({ status: 'active' });
    await eventually(() =>
      expect(running.statuses.filter((one) => one.accountId === accountId).map(({ status }) => status)).toEqual(
        ['frozen', 'active'],
      ),
    );
  });

  it('apply to each account of a batch, and to none that a restore has lost', async () => {
    const before = running.own.handled(billing.customerChanged).length;
    const buyers = await Promise.all(Array.from({ length: 12 }, () => buyer()));
    const events = [...buyers, { accountId: randomUUID() }].map(({ accountId }, index) =>
      running.fake.emit(billing.customerChanged, {
        ...{ accountId, tier: 'paid', isDisputed: index === 0, version: ++version },
      }),
    );
    await Promise.all(events);
    await eventually(async () => {
      const accounts = await Promise.all(buyers.map(({ accountId }) => readAccount(accountId)));
      expect(new Set(accounts.map(({ tier }) => tier))).toEqual(new Set(['paid']));
      expect(accounts.map(({ status }) => status)).toEqual(['frozen', ...Array(11).fill('active')]);
    });
    const text = `SELECT account_id FROM audit_entries WHERE action = 'account-tier-changed' AND account_id = ANY ($1)`;
    const ids = buyers.map(({ accountId }) => accountId);
    expect((await running.own.kit().db.query(text, [ids])).rows).toHaveLength(12);
    await eventually(() => expect(running.own.handled(billing.customerChanged)).toHaveLength(before + 13));
  });

  it('lift no freeze by an operator, and do not renew a freeze that an operator lifted', async () => {
    const [frozen, lifted] = [await buyer(), await buyer()];
    await setStatus(frozen.accountId, 'frozen');
    await customerChanged(frozen.accountId, 'paid', true);
    expect(await customerChanged(frozen.accountId, 'paid', false)).toMatchObject({ status: 'frozen' });
    await customerChanged(lifted.accountId, 'paid', true);
    await setStatus(lifted.accountId, 'active');
    expect(await customerChanged(lifted.accountId, 'free', true)).toMatchObject({ status: 'active' });
  });
});
