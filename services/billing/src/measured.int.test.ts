import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startBilling } from './test-support/start-billing.ts';

let billing: Awaited<ReturnType<typeof startBilling>>;
beforeAll(async () => {
  billing = await startBilling();
});
afterAll(() => billing?.stop());

it('operators see the purchase that is paid and not granted, and since when', async () => {
  const { purchaseId } = await billing.buy();
  const scrape = () => billing.harness.scrape('billing');
  expect((await scrape())('tds_backlog', { what: 'purchases' })).toBe(0);
  const late = `UPDATE purchases SET granted_at = NULL, paid_at = now() - interval '10 minutes' WHERE id = $1`;
  await billing.kit().db.query(late, [purchaseId]);
  const metric = await scrape();
  expect(metric('tds_backlog', { what: 'purchases' })).toBe(1);
  expect(metric('tds_backlog_oldest_seconds', { what: 'purchases' })).toBeGreaterThanOrEqual(600);
});
