import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fineLooks, story } from '@tds/browser';
import { channelAt } from '@tds/simulators/platform';
import { channelVideoIds } from '@tds/simulators/platform/testing';
import { eventually } from '@tds/test-kit';
import { call } from '#support/testing';
import { goTo, openPlace, type Place, signedIn } from './dashboard.ts';
import { cuesOf, wordsOf } from './reading.ts';

const SEED = 1;
const CHANNEL = 11;
let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place?.stop());

it('on the first day a person tries words on a channel never read before, and gives its matches to a feed reader', async () => {
  const [{ visitor, customer }, other] = [await signedIn(place), await signedIn(place)];
  const { page } = visitor;
  await story(visitor, 'first day', async () => {
    const [known = ''] = channelVideoIds(CHANNEL, SEED);
    const [first] = await cuesOf(other.customer, `video_id=${known}&language=orig`);
    const word = wordsOf(first?.text.replaceAll(/[^\p{L}\s]/gu, ' ') ?? '')[0] ?? '';
    await goTo(place, visitor, '/monitors', 'Monitors');
    await page.getByRole('button', { name: 'New monitor' }).click();
    await page.getByLabel('Channel or playlist').fill(channelAt(CHANNEL, SEED)?.handle ?? '');
    await page.getByLabel('Words to watch for').fill(`${word}\n\n-storm`);
    await page.getByRole('button', { name: 'Try these words' }).click();
    await page.getByText('This line cannot be searched: -storm').waitFor();
    await page.getByLabel('Words to watch for').fill(word);
    await page.getByRole('button', { name: 'Try these words' }).click();
    await page.getByText('You have received no transcript of this source yet', { exact: false }).waitFor();
    expect(await visitor.checkAppearance()).toEqual(fineLooks);
    // Neither Escape nor a link of the dialog loses what was entered.
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'New monitor' }).click();
    expect(await page.getByLabel('Words to watch for').inputValue()).toBe(word);
    await page.getByRole('button', { name: 'Try these words' }).click();
    await page.getByRole('button', { name: /^Fetch its 10 newest for at most 10 credits, and try$/ }).click();
    await page.getByText(/^\d+ videos? fetched for \d+ credits?\./).waitFor();
    const found = page.getByText(/^In the .+ of this source: [1-9]\d* match/);
    const again = page.getByRole('button', { name: 'Try these words' });
    // Where indexing takes longer than the page looks, it says in how many it has looked: then a person tries again.
    await eventually(
      async () => {
        if (!(await found.isVisible()) && (await again.isEnabled())) await again.click();
        expect(await found.isVisible()).toBe(true);
      },
      { everyMs: 1_000 },
    );
    const [tab] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: 'The job' }).click(),
    ]);
    await tab.getByRole('heading', { level: 1 }).waitFor();
    await tab.close();
    const { credits } = (await customer.get('/v1/account')).json<{ credits: { available: number } }>();
    expect(credits.available).toBeGreaterThanOrEqual(90);
    await page.getByRole('button', { name: 'Watch it' }).click();

    await page.getByRole('button', { name: 'Create a feed' }).click();
    const address = page.locator('figure.command code');
    const url = await address.innerText();
    const feed = await call(url);
    expect([feed.status, feed.headers.get('content-type')]).toEqual([
      200,
      'application/atom+xml; charset=utf-8',
    ]);
    expect(await visitor.checkAppearance()).toEqual(fineLooks);
    await page.getByRole('button', { name: 'Renew the address' }).click();
    await page.getByText(url).waitFor({ state: 'detached' });
    expect((await call(await address.innerText())).status).toBe(200);
    await page.getByRole('button', { name: 'End the feed' }).click();
    await page.getByRole('button', { name: 'Create a feed' }).waitFor();

    await page.getByRole('link', { name: 'Monitors' }).first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Monitors', level: 1 }).waitFor();
    // A screen reader reads the heading of the page, and the next Tab goes into its content.
    await page.waitForFunction(
      `document.activeElement.matches('h1') && document.activeElement.innerText === 'Monitors'`,
    );
    await page.getByRole('link', { name: 'Matches' }).click();
    await page.getByText('None yet. Enter words for a monitor', { exact: false }).waitFor();
    expect(await visitor.checkAppearance()).toEqual(fineLooks);
    expect(visitor.complaints).toEqual([]);
  });
});
