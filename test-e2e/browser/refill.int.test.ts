import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fineLooks } from '@tds/browser';
import { goTo, openPlace, type Place, signedIn } from './dashboard.ts';

const BILLING = ['/billing', 'Billing'] as const;

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place?.stop());

it('refilling is set up with a card on the page of the processor, says where it stands, and is turned off', async () => {
  const { visitor } = await signedIn(place);
  const { page } = visitor;
  const box = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Buy by itself' }) });
  const status = box.getByRole('status');
  await goTo(place, visitor, ...BILLING);
  await status.getByText('Off: nothing is bought by itself.').waitFor();
  await box.getByLabel('Buy').selectOption('20');
  await box.getByLabel('When fewer are left than').fill('3');
  await box.getByLabel('At most in a month, in USD').fill('0.50');
  await box.getByRole('button', { name: 'Save and set up a card' }).click();
  // Less than the price of one block: what was typed stays.
  await box.getByRole('alert').waitFor();
  expect(await box.getByLabel('At most in a month, in USD').inputValue()).toBe('0.50');
  await box.getByLabel('At most in a month, in USD').fill('12.50');
  await box.getByRole('button', { name: 'Save and set up a card' }).click();
  await page.getByRole('button', { name: 'Save the card' }).click();
  await page.waitForURL(/\/dashboard\//);
  await goTo(place, visitor, ...BILLING);
  await status.getByText('On. $0.00 of $12.50 are used in this month (UTC).').waitFor();
  expect(await visitor.checkAppearance()).toEqual(fineLooks);
  const size = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await visitor.findHidden()).toEqual([]);
  if (size) await page.setViewportSize(size);
  await box.getByRole('button', { name: 'Turn off' }).click();
  await status.getByText('Off: nothing is bought by itself.').waitFor();
});
