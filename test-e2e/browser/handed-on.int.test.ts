import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fineLooks } from '@tds/browser';
import { goTo, openPlace, type Place, signedIn } from './dashboard.ts';
import { article } from './reading.ts';

const VIDEO = 'asrOnlyEn01';
let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place?.stop());

it('a transcript is handed on, read at 320 px without a script, and taken back', async () => {
  const { visitor, customer } = await signedIn(place);
  const { page } = visitor;
  await customer.get(`/v1/transcript?video_id=${VIDEO}`);
  await goTo(place, visitor, '', 'Overview');
  await page.goto(`${place.system.gateway}/dashboard/read?video=${VIDEO}`);
  await article(page).waitFor();
  await page.getByRole('button', { name: 'Hand on a link' }).click();
  await page.getByRole('button', { name: 'Make the link' }).click();
  const shown = page.getByRole('dialog').locator('pre');
  await shown.waitFor();
  const { pathname } = new URL(String(await shown.textContent()));
  const address = place.system.gateway + pathname;
  await page.goto(address);
  await page.getByRole('article', { name: 'Transcript' }).waitFor();
  const size = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
  expect(await page.locator('script').count()).toBe(0);
  if (size) await page.setViewportSize(size);
  expect(await visitor.checkAppearance()).toEqual(fineLooks);
  await page.goto(`${place.system.gateway}/dashboard/links`);
  await page.getByRole('button', { name: /^Take back/ }).click();
  await page.getByText('None. Open a transcript').waitFor();
  await page.goto(address);
  await page.getByRole('heading', { name: 'This link leads nowhere' }).waitFor();
});
