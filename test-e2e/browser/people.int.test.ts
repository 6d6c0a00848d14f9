import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fineLooks, story } from '@tds/browser';
import { eventually } from '@tds/test-kit';
import { fileVideo } from '#support/testing';
import { goTo, openPlace, type Place, signedIn } from './dashboard.ts';
import { article, open } from './reading.ts';

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place?.stop());

it('what is read by hand has a name in keys, ledger and requests, beside what a key has read', async () => {
  const guest = await signedIn(place);
  const { visitor, customer } = guest;
  const { page } = visitor;
  await story(visitor, 'the dashboard in the books', async () => {
    const [byKey, byHand] = [fileVideo(1), fileVideo(2)];
    await customer.get(`/v1/transcript?video_id=${byKey}`);
    await open(place, guest, byHand);
    await page.getByRole('button', { name: 'Fetch it for 1 credit' }).click();
    await article(page).waitFor();
    await goTo(place, visitor, '/keys', 'Keys');
    const row = page.getByRole('row', { name: 'Dashboard' });
    await row.getByRole('cell', { name: '1', exact: true }).first().waitFor();
    expect(await visitor.checkAppearance()).toEqual(fineLooks);
    await goTo(place, visitor, '/billing/ledger', 'Ledger');
    await page.getByText('by The dashboard').waitFor();
    await page.getByText('by default').waitFor();
    await page.getByLabel('By').selectOption('Dashboard');
    await page.getByText('by default').waitFor({ state: 'detached' });
    await page.getByText('by The dashboard').waitFor();
    expect(await visitor.checkAppearance()).toEqual(fineLooks);
    const inDashboard = { total: 1, requests: [{ via: 'dashboard', video_id: byHand }] };
    await eventually(async () =>
      expect((await customer.get('/v1/requests?via=dashboard')).json()).toMatchObject(inDashboard),
    );
    await goTo(place, visitor, '/requests?via=dashboard', 'Requests');
    await page.getByRole('rowheader').first().waitFor();
    expect(await page.getByRole('rowheader').count()).toBe(1);
    expect(visitor.complaints).toEqual([]);
  });
});
