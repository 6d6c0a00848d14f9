import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fineLooks, story } from '@tds/browser';
import { bearer, type Customer, fileVideo, postJson, slowVideo } from '#support/testing';
import { goTo, openPlace, type Place, signedIn, videoRow } from './dashboard.ts';
import { article, cuesOf, OPEN, open, openTools, shownWords, wordsOf } from './reading.ts';

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place?.stop());

const available = async (customer: Customer): Promise<number> =>
  (await customer.get('/v1/account')).json<{ credits: { available: number } }>().credits.available;

describe('a transcript', () => {
  it('that is cached opens with one look at its price and one read, and is asked for again', async () => {
    const { visitor, customer } = await signedIn(place);
    await customer.get('/v1/transcript?video_id=asrOnlyEn01');
    await goTo(place, visitor, '', 'Overview');
    await visitor.page.waitForLoadState('networkidle');
    visitor.requests.length = 0;
    await visitor.page.goto(`${place.system.gateway}/dashboard/read?video=asrOnlyEn01`);
    await article(visitor.page).waitFor();
    const called = visitor.requests.map((line) => line.replace(`${place.system.gateway}/v1`, '').split('?')[0]);
    expect(
      called.filter((line) => !line?.includes('/assets/') && !line?.includes('/dashboard/read')).sort(),
    ).toEqual(['GET /account', 'GET /transcript', 'GET /video', 'HEAD /transcript', 'POST /dashboard/key']);
    // Recognised: its author may have written captions since.
    const before = await available(customer);
    await openTools(visitor.page);
    await visitor.page.getByRole('button', { name: 'Ask the platform again for 1 credit' }).click();
    await visitor.page.getByText('1 credit charged').waitFor();
    expect(await available(customer)).toBe(before - 1);
  });

  it('is opened by any address, says its cost before, and is read in the browser', async () => {
    const video = fileVideo(1);
    const guest = await signedIn(place);
    const { visitor, customer } = guest;
    const { page } = visitor;
    await story(visitor, 'read', async () => {
      await goTo(place, visitor, '/read', OPEN);
      expect(await visitor.checkAppearance()).toEqual(fineLooks);
      await open(place, guest, `https://youtu.be/${video}?si=x&t=5`);
      await page.getByText('Fetching it costs 1 credit; if that fails, it costs nothing.').waitFor();
      await page.getByText('You have 100 credits.').waitFor();
      expect(await visitor.checkAppearance()).toEqual(fineLooks);
      await page.getByRole('button', { name: 'Fetch it for 1 credit' }).dblclick();
      await article(page).waitFor();
      await page.getByText('1 credit charged').waitFor();
      expect(await available(customer)).toBe(99);
      const cues = await cuesOf(customer, `video_id=${video}`);
      expect(await shownWords(page)).toEqual(wordsOf(cues.map(({ text }) => text).join(' ')));
      const second = article(page).getByRole('link').nth(1);
      expect(await second.getAttribute('href')).toMatch(new RegExp(`[?&]v=${video}&t=\\d+s$`));
      expect(await visitor.checkAppearance()).toEqual(fineLooks);
      // What is cached is opened without a question.
      await page.reload();
      await page.getByText('from the cache, free').waitFor();
      await article(page).waitFor();
      await visitor.page.setViewportSize({ width: 320, height: 640 });
      expect(await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')).toBe(false);
      expect(await page.evaluate<string>('JSON.stringify([localStorage, sessionStorage])')).not.toContain(
        'svc_live_',
      );
      expect(visitor.complaints).toEqual([]);
    });
  });

  it('that is not ready says so, and appears', async () => {
    const guest = await signedIn(place);
    const { page } = guest.visitor;
    await story(guest.visitor, 'not ready', async () => {
      await open(place, guest, slowVideo(place.system, 2));
      await page.getByRole('button', { name: 'Fetch it for 1 credit' }).click();
      await page.getByText('The video platform is asked.').waitFor();
      await page.getByText('It takes longer than usual.').waitFor();
      expect(await guest.visitor.checkAppearance()).toEqual(fineLooks);
      await article(page).waitFor();
      expect(await available(guest.customer)).toBe(99);
    });
  });

  it('that cannot be had says why, costs nothing, and leads to another video', async () => {
    const guest = await signedIn(place);
    const { page } = guest.visitor;
    await story(guest.visitor, 'no captions', async () => {
      await open(place, guest, 'noCaptions1');
      await page.getByRole('button', { name: 'Fetch it for 1 credit' }).click();
      const alert = page.getByRole('alert');
      await alert.waitFor();
      expect(await alert.textContent()).toContain('no_captions');
      await page.getByText('When it was last looked at, the video had no captions.').waitFor();
      expect(await available(guest.customer)).toBe(100);
      await page.getByRole('link', { name: 'New transcript' }).click();
      await page.getByLabel('Video').fill('a channel of mine');
      await page.getByRole('button', { name: 'Open' }).click();
      expect(await page.getByRole('alert').innerText()).toContain('Enter the address of a video');
      expect(await page.getByLabel('Video').inputValue()).toBe('a channel of mine');
    });
  });

  it('that is not cached cannot be fetched without credits, and says so before', async () => {
    const guest = await signedIn(place);
    const { page } = guest.visitor;
    await story(guest.visitor, 'no credits', async () => {
      await page.route('**/v1/account', async (route) => {
        const answer = await route.fetch();
        const body = await answer.json();
        await route.fulfill({ json: { ...body, credits: { ...body.credits, available: 0 } } });
      });
      await open(place, guest, fileVideo(3));
      await page.getByText('It may cost 1 credit, and you have none.').waitFor();
      expect(await page.getByRole('button', { name: 'Fetch it for 1 credit' }).isDisabled()).toBe(true);
      await page.getByRole('main').getByRole('link', { name: 'Billing' }).waitFor();
    });
  });
});

it('what a job has delivered is opened from its rows', async () => {
  const guest = await signedIn(place);
  const { visitor, customer } = guest;
  const { page } = visitor;
  await story(visitor, 'from a job', async () => {
    const videos = { video_ids: ['manualEn001', 'noCaptions1'], name: 'Two' };
    const created = await postJson(`${place.system.gateway}/v1/jobs`, videos, bearer(customer.key));
    const { id } = created.json<{ job: { id: string } }>().job;
    await goTo(place, visitor, `/jobs/${id}`, 'Two');
    await page.getByText(/^Ended .* after /).waitFor();
    const failed = videoRow(page, 'noCaptions1');
    await failed.getByText('no_captions').waitFor();
    expect(await failed.getByRole('link').count()).toBe(1);
    await videoRow(page, 'manualEn001').getByRole('link').click();
    await article(page).waitFor();
    await page.getByText('from the cache, free').waitFor();
  });
});
