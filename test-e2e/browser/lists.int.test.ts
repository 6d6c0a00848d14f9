import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fineLooks, type Page, story, Visitor } from '@tds/browser';
import { channelAt } from '@tds/simulators/platform';
import { eventually } from '@tds/test-kit';
import { bearer, type Customer, postJson } from '#support/testing';
import { goTo, openPlace, type Place, signedIn, signIn, videoRow } from './dashboard.ts';

const PHONE = { width: 390, height: 844 };
let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place?.stop());

const startJob = async ({ key }: Customer, name: string, ...video_ids: string[]): Promise<string> => {
  const body = { video_ids, name };
  const made = await postJson(`${place.system.gateway}/v1/jobs`, body, bearer(key));
  return made.json<{ job: { id: string } }>().job.id;
};
const ended = (page: Page) => page.getByText(/^Ended .* after /).waitFor();
const rows = (page: Page) => page.getByRole('rowheader');

it('jobs and their videos are searched and filtered', async () => {
  const { visitor, customer } = await signedIn(place);
  const { page } = visitor;
  await story(visitor, 'search lists', async () => {
    const harbour = await startJob(customer, 'Harbour talks', 'manualEn001', 'asrOnlyEn01', 'noCaptions1');
    await goTo(place, visitor, `/jobs/${harbour}`, 'Harbour talks');
    await ended(page);
    const other = await startJob(customer, 'Lectures', 'manualEn001');
    await goTo(place, visitor, `/jobs/${other}`, 'Lectures');
    await ended(page);

    await goTo(place, visitor, '/jobs', 'Jobs');
    await rows(page).nth(1).waitFor();
    await page.getByLabel('Search').fill('HARB');
    await page.getByRole('rowheader', { name: 'Lectures' }).waitFor({ state: 'detached' });
    expect(await visitor.checkAppearance()).toEqual(fineLooks);
    await page.getByLabel('State').selectOption('failed');
    await page.getByText('No job is like this.').waitFor();
    await page.getByLabel('State').selectOption('');
    await page.getByRole('link', { name: 'Harbour talks' }).click();

    await rows(page).nth(2).waitFor();
    await page.getByLabel('Search').fill('recognised');
    await rows(page).nth(1).waitFor({ state: 'detached' });
    expect(await videoRow(page, 'asrOnlyEn01').count()).toBe(1);
    await page.getByLabel('Search').fill('nothing of the kind');
    await page.getByText('No video is like this.').waitFor();
    expect(visitor.complaints).toEqual([]);
  });
});

it('monitors are searched and filtered', async () => {
  const { visitor, customer } = await signedIn(place);
  const { page } = visitor;
  await story(visitor, 'search monitors', async () => {
    const channel = channelAt(8, 1)?.handle ?? '';
    const made = await postJson(`${place.system.gateway}/v1/monitors`, { channel }, bearer(customer.key));
    expect(made.status).toBe(201);
    await goTo(place, visitor, '/monitors', 'Monitors');
    await rows(page).first().waitFor();
    expect(await visitor.checkAppearance()).toEqual(fineLooks);
    await page.getByLabel('Search').fill('no such channel');
    await page.getByText('No monitor is like this.').waitFor();
    await page.getByLabel('Search').fill('');
    await page.getByLabel('State').selectOption('cancelled');
    await page.getByText('No monitor is like this.').waitFor();
    await page.getByLabel('State').selectOption('active');
    await rows(page).first().waitFor();
  });
});

it('on a phone every view, every action of a key and every fact of a request is seen without scrolling sideways', async () => {
  const context = await place.browser.newContext({ viewport: { width: 360, height: 740 } });
  const visitor = await Visitor.open(place.browser, context);
  const { page } = visitor;
  const customer = await signIn(place, visitor);
  await story(visitor, 'small phone', async () => {
    for (const video of ['manualEn001', 'oneCue_0001']) await customer.get(`/v1/transcript?video_id=${video}`);
    await eventually(
      async () =>
        expect((await customer.get('/v1/requests')).json<{ total: number }>().total).toBeGreaterThan(0),
      { everyMs: 1_500 },
    );
    await goTo(place, visitor, '/keys', 'Keys');
    await rows(page).first().waitFor();
    const isInside = async (name: string) => {
      const box = await page.getByRole('button', { name }).boundingBox();
      return box !== null && box.x >= 0 && box.x + box.width <= 360;
    };
    for (const action of ['Change default', 'Rotate default', 'Revoke default'])
      expect([action, await isInside(action)]).toEqual([action, true]);
    expect(await visitor.violations()).toEqual([]);
    const menu = page.getByRole('button', { name: 'Menu' });
    expect(await menu.getAttribute('aria-expanded')).toBe('false');
    await menu.click();
    const views = page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link');
    expect(await views.count()).toBe(9);
    for (const view of await views.all()) {
      const box = await view.boundingBox();
      expect(box && box.x + box.width <= 360 && box.y + box.height <= 740).toBe(true);
    }
    expect(await visitor.violations()).toEqual([]);
    await views.filter({ hasText: 'Billing' }).click();
    await page.getByRole('link', { name: 'Requests' }).click();
    await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor();
    expect(await menu.getAttribute('aria-expanded')).toBe('false');
    const request = videoRow(page, 'oneCue_0001');
    await request.waitFor();
    expect((await request.boundingBox())?.height).toBeLessThan(200);
    await goTo(place, visitor, '/read?video=manualEn001', 'Special video: one manual English track');
    const first = page.locator('[data-passage]').first();
    await first.waitFor();
    expect((await first.boundingBox())?.y).toBeLessThan(400);
    const [search, next] = [page.getByRole('searchbox'), page.getByRole('button', { name: 'Next' })];
    expect((await next.boundingBox())?.y).toBeCloseTo((await search.boundingBox())?.y ?? 0, -1);
    expect(visitor.complaints).toEqual([]);
  });
});

it('moments are those of the browser with their zone, and stay visible on a phone like credits', async () => {
  const context = await place.browser.newContext({ timezoneId: 'Asia/Tokyo', viewport: PHONE });
  const visitor = await Visitor.open(place.browser, context);
  const { page } = visitor;
  const customer = await signIn(place, visitor);
  await story(visitor, 'phone', async () => {
    const isShown = async (text: string | RegExp) => {
      const box = await page.getByText(text).first().boundingBox();
      return box !== null && box.x + box.width <= PHONE.width;
    };
    const id = await startJob(customer, 'On the way', 'namedTrks01');
    await goTo(place, visitor, `/jobs/${id}`, 'On the way');
    await ended(page);
    await goTo(place, visitor, '/jobs', 'Jobs');
    await rows(page).first().waitFor();
    for (const shown of ['Credits', 'Started', /just now|ago/])
      expect([shown, await isShown(shown)]).toEqual([shown, true]);
    await goTo(place, visitor, '/billing/ledger', 'Ledger');
    await page.getByRole('rowheader', { name: /^Delivered/ }).waitFor();
    // GMT+9 is how the browser names this zone.
    for (const shown of ['Credits', /\d\d:\d\d (?:JST|GMT\+9)$/])
      expect([String(shown), await isShown(shown)]).toEqual([String(shown), true]);
    expect(visitor.complaints).toEqual([]);
  });
});
