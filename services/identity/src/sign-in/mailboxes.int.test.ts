import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { billing, identity } from '@tds/contracts';
import { createListenerContext, testContext } from '@tds/kit/testing';
import { createOperations } from '../test-support/identity-operations.ts';
import { CLIENT_ADDRESS } from '../test-support/sign-in-requests.ts';
import { startIdentity, type TestIdentity } from '../test-support/start-identity.ts';

const DAY_MS = 86_400_000;

let running: TestIdentity;
beforeAll(async () => {
  running = await startIdentity({ environment: { ACCOUNTS_PER_MAILBOX: '2', ACCOUNTS_PER_DOMAIN: '3' } });
});
afterAll(() => running?.stop());

const newMailbox = () => {
  const name = randomUUID();
  return (tag: number) => `${name}+${tag}@example.com`;
};
const close = ({ accountId, email }: { accountId: string; email: string }) =>
  running.call(
    identity.closeAccount,
    { accountId, confirm: email, clientAddress: CLIENT_ADDRESS },
    testContext(),
  );
let version = 0;
const tellDispute = async (accountId: string, isDisputed: boolean) => {
  const customer = { accountId, tier: 'free', isDisputed, version: ++version } as const;
  const delivery = createListenerContext(billing.customerChanged, customer);
  await running.handlers().subscriptions.customerChanged(customer, delivery);
};
const full = { code: 'signup_rate_limited' };
const disputed = { code: 'account_frozen', status: 403 };

describe('a mailbox', () => {
  it('is full until 31 days after one of its accounts was closed', async () => {
    const address = newMailbox();
    const first = await running.signUp(address(1));
    await running.signUp(address(2));
    running.clock.advance(60 * DAY_MS);
    await expect(running.signUp(address(3))).rejects.toMatchObject(full);
    await close(first);
    await expect(running.signUp(address(3))).rejects.toMatchObject(full);
    running.clock.advance(31 * DAY_MS - 1);
    await expect(running.signUp(address(4))).rejects.toMatchObject(full);
    running.clock.advance(1);
    await expect(running.signUp(address(4))).resolves.toBeDefined();
  });

  it('opens no account while a payment of a closed account is disputed, whenever the dispute begins', async () => {
    const address = newMailbox();
    const spent = await running.signUp(address(1));
    await close(spent);
    await tellDispute(spent.accountId, true);
    await expect(running.signUp(address(2))).rejects.toMatchObject(disputed);
    running.clock.advance(400 * DAY_MS);
    await expect(running.signUp(address(2))).rejects.toMatchObject(disputed);
    await tellDispute(spent.accountId, false);
    await expect(running.signUp(address(2))).resolves.toBeDefined();
  });

  it('opens none beside a frozen account until support lifts the freeze', async () => {
    const address = newMailbox();
    const frozen = await running.signUp(address(1));
    await tellDispute(frozen.accountId, true);
    await expect(running.signUp(address(2))).rejects.toMatchObject(disputed);
    await createOperations(running).setStatus(frozen.email, 'active');
    await expect(running.signUp(address(2))).resolves.toBeDefined();
  });

  it('lets holders of its other accounts sign in during a dispute', async () => {
    const address = newMailbox();
    const [spent, other] = [await running.signUp(address(1)), await running.signUp(address(2))];
    await tellDispute(spent.accountId, true);
    const code = await running.askForCode(other.email);
    await expect(running.verify(other.email, code)).resolves.toMatchObject({ accountId: other.accountId });
  });

  it('at one host of a domain is not barred by a dispute at another, and no refund of the other counts for it', async () => {
    const [name, domain] = [randomUUID(), `${randomUUID()}.test`];
    const spent = await running.signUp(`${name}@shop.${domain}`);
    await tellDispute(spent.accountId, true);
    await expect(running.signUp(`${name}+1@shop.${domain}`)).rejects.toMatchObject(disputed);
    const other = await running.signUp(`${name}@${domain}`);
    const listed = await running.call(
      identity.listAccountsOfMailbox,
      { accountId: other.accountId },
      testContext(),
    );
    expect(listed.accountIds).toEqual([other.accountId]);
  });

  it('opens at most its limit of accounts, even at once', async () => {
    const address = newMailbox();
    const all = await Promise.allSettled([1, 2, 3, 4].map((tag) => running.signUp(address(tag))));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  });
});

describe('a domain', () => {
  const newDomain = () => {
    const domain = `${randomUUID()}.test`;
    return (host = '') => `${randomUUID()}@${host}${domain}`;
  };

  it('has at most its limit of new free accounts in 31 days, at all its hosts and at once', async () => {
    const address = newDomain();
    const hosts = ['', 'a.', 'b.c.', ''];
    const all = await Promise.allSettled(hosts.map((host) => running.signUp(address(host))));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    running.clock.advance(31 * DAY_MS - 60_000);
    await expect(running.signUp(address())).rejects.toMatchObject({
      ...full,
      data: { retryAfterSeconds: 60 },
    });
    running.clock.advance(60_000);
    await expect(running.signUp(address())).resolves.toBeDefined();
  });

  it('keeps its count when accounts are closed, and does not count those that pay', async () => {
    const address = newDomain();
    const [closed, paid] = [await running.signUp(address()), await running.signUp(address())];
    await running.signUp(address());
    await close(closed);
    await expect(running.signUp(address())).rejects.toMatchObject(full);
    await createOperations(running).setTier(paid.email, 'paid');
    await expect(running.signUp(address())).resolves.toBeDefined();
  });

  it('of a mail provider has no limit', async () => {
    for (let n = 0; n < 4; n += 1) await running.signUp(`${randomUUID()}@gmail.com`);
  });
});
