import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fineLooks, story } from '@tds/browser';
import { call, dashboard, fileVideo } from '#support/testing';
import { openPlace, type Place } from './dashboard.ts';
import { article, type Cue, cuesOf, openTools, readerOf, shownWords, wordsOf } from './reading.ts';

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place?.stop());

describe('a reader', () => {
  it('searches in the text, and goes from place to place by keyboard', async () => {
    const guest = await readerOf(place, 'manualEn001');
    const { visitor, customer } = guest;
    const { page } = visitor;
    await story(visitor, 'search', async () => {
      const cues = await cuesOf(customer, 'video_id=manualEn001');
      const word = wordsOf(cues[3]?.text ?? '').find((one) => one.length > 4) ?? '';
      const all = cues.flatMap(({ text }) => text.toLowerCase().split(word.toLowerCase()).slice(1)).length;
      await page.getByRole('searchbox').fill(word.toUpperCase());
      await page.getByText(`${all} found`).waitFor();
      const painted = () =>
        page.evaluate<number[]>(`['found', 'current'].map((n) => CSS.highlights.get(n).size)`);
      expect(await painted()).toEqual([all, 0]);
      await page.keyboard.press('Enter');
      await page.getByText(`1 of ${all}, at `).waitFor();
      expect(await painted()).toEqual([all, 1]);
      await page.keyboard.press('Shift+Enter');
      await page.getByText(`${all} of ${all}, at `).waitFor();
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByText(`1 of ${all}, at `).waitFor();
      expect(await visitor.checkAppearance()).toEqual(fineLooks);
      await page.getByRole('searchbox').fill('(no such words');
      await page.getByText('Not found').waitFor();
      expect(await painted()).toEqual([0, 0]);
      expect(visitor.complaints).toEqual([]);
    });
  });

  it('copies a quote whose link leads to the second at which it is said', async () => {
    const guest = await readerOf(place, 'manualEn001');
    const { visitor, customer } = guest;
    const { page } = visitor;
    await story(visitor, 'quote', async () => {
      await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
      const cues = await cuesOf(customer, 'video_id=manualEn001');
      const cue = cues[6] as Cue;
      const pasted = () => page.evaluate<string>('navigator.clipboard.readText()');
      // The words of one caption are selected, wherever in its passage they stand.
      await page.evaluate<void>(`(() => {
        const words = ${JSON.stringify(cue.text.replaceAll(/\s+/g, ' '))};
        const node = [...document.querySelectorAll('[data-passage]')]
          .map(({ firstChild }) => firstChild).find(({ data }) => data.includes(words));
        const from = node.data.indexOf(words);
        document.getSelection().setBaseAndExtent(node, from, node, from + words.length);
      })()`);
      await page.getByRole('button', { name: /^Copy the quote at/ }).click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await pasted()).toContain(`“${cue.text.replaceAll(/\s+/g, ' ')}”`);
      expect(await pasted()).toMatch(new RegExp(`[?&]v=manualEn001&t=${Math.floor(cue.start)}s$`));
      const first = article(page).locator('.passage').first();
      await first.getByRole('button', { name: /^Copy/ }).click();
      await page.getByText(/^Copied the passage at/).waitFor();
      expect(await pasted()).toContain(await first.locator('[data-passage]').innerText());
      expect(visitor.complaints).toEqual([]);
    });
  });

  it('changes the language by one list: to one of the video, or to a translation', async () => {
    const guest = await readerOf(place, 'manyLangs01');
    const { visitor, customer } = guest;
    const { page } = visitor;
    await story(visitor, 'languages', async () => {
      await customer.get('/v1/transcript?video_id=manyLangs01&language=fr');
      expect(await article(page).getAttribute('lang')).toBe('en');
      expect(await page.getByLabel('Language').inputValue()).toBe('orig');
      await openTools(page);
      await page.getByLabel('Language').selectOption('fr');
      await page.locator('article[lang="fr"]').waitFor();
      const cues = await cuesOf(customer, 'video_id=manyLangs01&language=fr');
      expect(await shownWords(page)).toEqual(wordsOf(cues.map(({ text }) => text).join(' ')));
      await openTools(page);
      await page.getByLabel('Language').selectOption('Icelandic (is)');
      await page.getByText('they would be translated by machine').waitFor();
      await page.getByRole('button', { name: 'Translate it for 1 credit' }).waitFor();
      await page.goBack();
      await page.locator('article[lang="fr"]').waitFor();
    });
  });

  it('has the times at the right of a text from right to left', async () => {
    const guest = await readerOf(place, 'manyLangs01');
    const { page } = guest.visitor;
    await story(guest.visitor, 'right to left', async () => {
      await guest.customer.get('/v1/transcript?video_id=manyLangs01&language=ar');
      await page.goto(`${place.system.gateway}/dashboard/read?video=manyLangs01&language=ar`);
      const first = page.locator('article[lang="ar"] .passage').first();
      await first.waitFor();
      const [time, text] = [await first.locator('a').boundingBox(), await first.locator('p').boundingBox()];
      expect(time?.x).toBeGreaterThan(text?.x ?? Number.NaN);
    });
  });

  it('downloads all formats, byte for byte as the API gives them', async () => {
    const video = fileVideo(1);
    const { visitor, customer } = await readerOf(place, video);
    const { page } = visitor;
    await story(visitor, 'formats', async () => {
      const formats = await page.evaluate<string[]>(
        `[...document.querySelectorAll('select[name="format"] option')].map(({ value }) => value)`,
      );
      expect(formats.length).toBe(7);
      await openTools(page);
      expect(await page.getByLabel('Format').inputValue()).toBe('md');
      for (const format of formats) {
        await page.getByLabel('Format').selectOption(format);
        const download = page.waitForEvent('download');
        await page.getByRole('button', { name: 'Download' }).click();
        const file = await download;
        const answer = await customer.get(`/v1/transcript?video_id=${video}&format=${format}&raw=1`);
        const bytes = Buffer.concat(await Array.fromAsync(await file.createReadStream()));
        expect([format, bytes.toString()]).toEqual([format, answer.text]);
        expect(file.suggestedFilename()).toMatch(/\.en\./);
      }
    });
  });

  it('whose session ends while reading keeps the text, and reads how to go on', async () => {
    const guest = await readerOf(place, 'manualEn001');
    const { visitor, customer } = guest;
    const { page } = visitor;
    await story(visitor, 'ended while reading', async () => {
      const left = await call(`${place.system.gateway}/v1/auth/logout`, {
        method: 'POST',
        headers: dashboard(customer),
      });
      expect(left.status).toBe(204);
      await openTools(page);
      await page.getByRole('button', { name: 'Download' }).click();
      await page.getByRole('alert').getByRole('link', { name: 'Sign in in another tab' }).waitFor();
      await page.getByRole('searchbox').fill('a');
      await page.getByText(/found$/).waitFor();
      expect((await shownWords(page)).length).toBeGreaterThan(10);
    });
  });
});
