import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fineLooks, type Page, story } from '@tds/browser';
import { openPlace, type Place } from './dashboard.ts';
import { article, readerOf } from './reading.ts';

const VIDEO = 'chapters_01';

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place?.stop());

const show = (page: Page) => page.getByRole('button', { name: 'Show the video' });
const hide = (page: Page) => page.getByRole('button', { name: 'Hide the video' });
const frame = (page: Page) => page.frameLocator('iframe[title="Player of the video"]');
/** As the player says it: `Plays 0:31`, or `Rests 0:31`. */
const clockOf = (page: Page) => frame(page).locator('output');
const spoken = (page: Page) => article(page).locator('[aria-current="true"]');
const secondOf = async (page: Page): Promise<number> => {
  const [minutes = 0, seconds = 0] = (await clockOf(page).innerText())
    .slice('Plays '.length)
    .split(':')
    .map(Number);
  return minutes * 60 + seconds;
};

describe('the video beside its text', () => {
  it('is asked for by a press, shown by the policy of this page alone, and remembered', async () => {
    const { visitor } = await readerOf(place, VIDEO);
    const { page } = visitor;
    const { simulator } = place.system;
    await story(visitor, 'video shown', async () => {
      await show(page).waitFor();
      expect(visitor.requests.filter((line) => !line.includes(place.system.gateway))).toEqual([]);
      expect(simulator.requests().byEndpoint.embed).toBeUndefined();
      expect(await page.locator('iframe').count()).toBe(0);
      await article(page)
        .getByRole('link', { name: /^Open the video at 0:00$/ })
        .waitFor();
      await show(page).click();
      await clockOf(page).getByText('Rests 0:00').waitFor();
      const player = page.locator('iframe');
      expect(await player.getAttribute('sandbox')).toBe('allow-scripts allow-same-origin allow-popups');
      expect(await player.getAttribute('referrerpolicy')).toBe('strict-origin');
      expect(await page.locator('script:not([src^="/assets/"])').count()).toBe(0);
      expect(await visitor.checkAppearance()).toEqual(fineLooks);
      expect(simulator.requests().byVideo[VIDEO]?.embed).toBe(1);
      await page.reload();
      await clockOf(page).waitFor();
      await hide(page).click();
      await show(page).waitFor();
      visitor.requests.length = 0;
      await page.reload();
      await article(page).waitFor();
      expect(await page.locator('iframe').count()).toBe(0);
      expect(visitor.requests.filter((line) => !line.includes(place.system.gateway))).toEqual([]);
      expect(visitor.complaints).toEqual([]);
    });
  });

  it('plays from a time, and the passage that is said is marked and stays in view', async () => {
    const { visitor } = await readerOf(place, VIDEO);
    const { page } = visitor;
    await story(visitor, 'video follows', async () => {
      await show(page).click();
      await clockOf(page).waitFor();
      await spoken(page).waitFor();
      const last = article(page).locator('.passage').last();
      await last.getByRole('link', { name: /^Play at/ }).click();
      await clockOf(page).getByText('Plays').waitFor();
      expect(page.context().pages()).toHaveLength(1);
      await spoken(page)
        .locator('p', { hasText: await last.locator('p').innerText() })
        .waitFor();
      // The last seconds of a passage lead into the next one.
      const second = article(page).locator('.passage').nth(1);
      const start = await page.evaluate<number>(
        `Number(new URL(document.querySelectorAll('.passage a')[1].href).searchParams.get('t').replace('s', ''))`,
      );
      await article(page)
        .getByRole('link', { name: /^Play at 0:00$/ })
        .click();
      await page.frames()[1]?.evaluate<void>(`currentTime = ${start - 1}`);
      await spoken(page)
        .locator('p', { hasText: await second.locator('p').innerText() })
        .waitFor();
      expect(await spoken(page).count()).toBe(1);
      const { top, bottom } = await page.evaluate<{ top: number; bottom: number }>(
        `document.querySelector('[aria-current="true"]').getBoundingClientRect().toJSON()`,
      );
      expect([top > 0, bottom < 860]).toEqual([true, true]);
      expect(visitor.complaints).toEqual([]);
    });
  });

  it('pauses and goes back by keys, which stay the text`s in a field and the browser`s with a modifier', async () => {
    const { visitor } = await readerOf(place, VIDEO);
    const { page } = visitor;
    await story(visitor, 'video keys', async () => {
      await show(page).click();
      await page.getByText('goes back five seconds').waitFor();
      await article(page)
        .getByRole('link', { name: /^Play at/ })
        .nth(1)
        .click();
      await clockOf(page).getByText('Plays').waitFor();
      await page.keyboard.press('Space');
      await clockOf(page).getByText('Rests').waitFor();
      const paused = await secondOf(page);
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('j');
      await clockOf(page)
        .getByText(`Rests 0:${paused - 10}`)
        .waitFor();
      await page.keyboard.press('k');
      await clockOf(page).getByText('Plays').waitFor();
      const field = page.getByRole('searchbox');
      await field.fill('');
      await field.press('k');
      await field.press('Space');
      await field.press('j');
      expect(await field.inputValue()).toBe('k j');
      await clockOf(page).getByText('Plays').waitFor();
      expect(visitor.complaints).toEqual([]);
    });
  });

  it('says that it does not load, and leads to its platform', async () => {
    const { visitor } = await readerOf(place, VIDEO);
    const { page } = visitor;
    await story(visitor, 'video missing', async () => {
      const fault = place.system.simulator.faults.add({
        match: { endpoint: 'embed', videoId: VIDEO },
        fault: 'hang',
      });
      await show(page).click();
      await page.getByText('The video does not load here.').waitFor();
      const link = page.getByRole('link', { name: 'Open it on its platform' });
      expect(await link.getAttribute('href')).toMatch(new RegExp(`[?&]v=${VIDEO}`));
      expect(await visitor.checkAppearance()).toEqual(fineLooks);
      await visitor.context.route('https://www.youtube.com/**', (route) => route.fulfill({ body: 'there' }));
      const opened = visitor.context.waitForEvent('page');
      await article(page).getByRole('link').first().click();
      await (await opened).waitForURL(/\?v=chapters_01/);
      place.system.simulator.faults.remove(fault);
      await hide(page).click();
      await show(page).click();
      await clockOf(page).waitFor();
      await page.getByText('goes back five seconds').waitFor();
      expect(visitor.complaints).toEqual([]);
    });
  });
});
