import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fineLooks, type Page, story } from '@tds/browser';
import { openPlace, type Place } from './dashboard.ts';
import { article, openTools, readerOf } from './reading.ts';

const VIDEO = 'chapters_01';

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place?.stop());

const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent');

/** Texts of what can be seen, as a person reads the page from its top. */
const seenLines = async (page: Page): Promise<string[]> =>
  (await page.locator('body').innerText()).split('\n').filter((line) => line.trim() !== '');

describe('a transcript', () => {
  it('is one stop a passage for the keyboard, from which C copies it', async () => {
    const { visitor } = await readerOf(place, VIDEO);
    const { page } = visitor;
    await story(visitor, 'one stop a passage', async () => {
      await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
      const times = article(page).getByRole('link', { name: /^Open the video at \d+:\d\d$/ });
      const names = await times.allTextContents();
      expect(names.length).toBeGreaterThan(2);
      expect(new Set(names).size).toBe(names.length);
      await times.first().focus();
      for (const name of names) {
        expect(await focused(page)).toBe(name);
        await page.keyboard.press('Tab');
      }
      await times.nth(1).focus();
      await page.keyboard.press('c');
      await page.getByText(/^Copied the passage at/).waitFor();
      const text = await article(page).locator('.passage p').nth(1).innerText();
      expect(await page.evaluate<string>('navigator.clipboard.readText()')).toContain(text);
      expect(visitor.complaints).toEqual([]);
    });
  });

  it('has its title as the first heading, and its chapters below it', async () => {
    const { visitor } = await readerOf(place, VIDEO);
    const { page } = visitor;
    await story(visitor, 'headings', async () => {
      const headings = page.locator('h1, h2, h3, h4');
      const levels = await headings.evaluateAll((all) =>
        all.map((one) => (one as { tagName?: string }).tagName),
      );
      expect(levels).toEqual(['H1', 'H2', 'H2', 'H2']);
      expect(await page.locator('h1').getAttribute('dir')).toBe('auto');
    });
  });

  it('begins in the upper half of a small phone', async () => {
    const { visitor } = await readerOf(place, VIDEO);
    const { page } = visitor;
    await story(visitor, 'small phone', async () => {
      await page.setViewportSize({ width: 360, height: 740 });
      await page.reload();
      const first = article(page).locator('.passage p').first();
      await first.waitFor();
      expect((await first.boundingBox())?.y).toBeLessThan(300);
      await openTools(page);
      await page.getByRole('button', { name: 'Download' }).waitFor();
      expect(await visitor.checkAppearance()).toEqual(fineLooks);
    });
  });

  it('prints as a document: title, facts, address, and passages with their times', async () => {
    const { visitor } = await readerOf(place, VIDEO);
    const { page } = visitor;
    await story(visitor, 'print', async () => {
      const passages = await article(page).locator('.passage p').allInnerTexts();
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      const [title = '', facts = '', chapter = '', time = '', first = '', ...others] = await seenLines(page);
      expect(title).toBe(await page.locator('h1').innerText());
      expect(facts).toMatch(/ · \d{4}-\d\d-\d\d · 3:00 · .*English.* · https:\/\/\S+\?v=chapters_01$/);
      expect([chapter, time, first]).toEqual(['Arrival', expect.stringMatching(/0:00$/), passages[0]]);
      expect(others.filter((line) => passages.includes(line))).toEqual(passages.slice(1));
      for (const gone of ['nav', 'button', 'input', 'select', 'form', 'iframe', 'summary'])
        expect([gone, await page.locator(gone).filter({ visible: true }).count()]).toEqual([gone, 0]);
      const colours = await page.evaluate<string[]>(
        `(({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(document.documentElement))`,
      );
      expect(colours).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
      await page.evaluate<void>(`document.documentElement.dataset.theme = 'dark'`);
      expect(await page.evaluate<string>('getComputedStyle(document.querySelector(".passage a")).color')).toBe(
        'rgb(0, 0, 0)',
      );
    });
  });
});
