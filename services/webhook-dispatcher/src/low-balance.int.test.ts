import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { creditsLedger } from '@tds/contracts';
import { eventually } from '@tds/test-kit';
import { startDispatcher, type TestDispatcher } from './test-support/start-dispatcher.ts';

let service: TestDispatcher;
beforeAll(async () => {
  service = await startDispatcher();
});
afterAll(() => service.stop());

const tell = (accountId: string, threshold: number, available = threshold - 1) =>
  service.ledger.emit(creditsLedger.balanceRanLow, { accountId, available, threshold, version: 7 });
const withThreshold = async (lowBalanceThreshold: number | null) => {
  const account = await service.newAccount();
  await service.put(account.accountId, {
    url: service.receiver.hookUrl + account.path,
    lowBalanceThreshold,
  });
  return account;
};

describe('a balance that has run low', () => {
  it('is sent to the webhook of its account, signed, with the documented body', async () => {
    const { accountId, path } = await withThreshold(10);
    await tell(accountId, 10);
    const [received] = await eventually(() => {
      expect(service.receiver.received(path)).toHaveLength(1);
      return service.receiver.received(path);
    });
    expect(received).toMatchObject({ event: 'credits.low', isVerified: true });
    expect(JSON.parse(received?.body ?? '')).toMatchObject({
      type: 'credits.low',
      data: { available: 9, threshold: 10, version: 7 },
    });
  });

  it.each([
    ['another threshold by now', 11],
    ['none any more', null],
  ])('is not sent if the webhook has %s', async (_, threshold) => {
    const { accountId } = await withThreshold(threshold);
    await tell(accountId, 10);
    const other = await withThreshold(10);
    await tell(other.accountId, 10);
    await service.until(other.accountId, ({ delivery }) => delivery.status === 'delivered');
    expect((await service.list(accountId)).deliveries).toEqual([]);
  });
});
