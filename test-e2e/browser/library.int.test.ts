import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fineLooks, story } from '@tds/browser';
import { eventually } from '@tds/test-kit';
import { type Guest, goTo, openPlace, type Place, signedIn } from './dashboard.ts';
import { article, cuesOf, wordsOf } from './reading.ts';

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place?.stop());

const VIDEO = 'manualEn001';
/** What the reader is shown, of the text of the page. */
const paintedText = `[...CSS.highlights.get('current')].map((range) =>
  range.startContainer.data.slice(range.startOffset, range.endOffset)).join()`;
const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
const PATIENTLY = { everyMs: 1_500 };

const PASTED = 'navigator.clipboard.readText()';

/** A long word of the text, once the search finds it. */
const findableWord = async ({ customer }: Guest): Promise<string> => {
  const cues = await cuesOf(customer, `video_id=${VIDEO}`);
  const word = wordsOf(cues[3]?.text.replaceAll(/[^\p{L}\s]/gu, ' ') ?? '').find((one) => one.length > 4) ?? '';
  await eventually(async () => {
    const answer = await customer.get(`/v1/library/search?q=${word}`);
    expect(answer.json<{ total: number }>().total).toBeGreaterThan(0);
  }, PATIENTLY);
  return word;
};

describe('the library of a customer', () => {
  it('says what to do while it is empty', async () => {
    const { visitor } = await signedIn(place);
    await story(visitor, 'empty', async () => {
      await goTo(place, visitor, '/library', 'Library');
      await visitor.page.getByText('None yet.').waitFor();
      expect(await visitor.checkAppearance()).toEqual(fineLooks);
    });
  });

  it('lists what was received, finds a sentence in it, and opens the text where it is said', async () => {
    const guest = await signedIn(place);
    const { visitor, customer } = guest;
    const { page } = visitor;
    await story(visitor, 'search', async () => {
      const word = await findableWord(guest);
      const cues = await cuesOf(customer, `video_id=${VIDEO}`);
      await goTo(place, visitor, '/library', 'Library');
      await page.getByRole('table').getByRole('link').first().waitFor();
      expect(await visitor.checkAppearance()).toEqual(fineLooks);
      await page.getByLabel('Search').fill(word);
      await page.keyboard.press('Enter');
      await page.getByText(/^\d+ passages?/).waitFor();
      expect(await visitor.checkAppearance()).toEqual(fineLooks);
      const hit = page
        .getByRole('listitem')
        .getByRole('link', { name: /, at \d/ })
        .first();
      const [, at = ''] = /, at ([\d:]+)$/.exec(await hit.innerText()) ?? [];
      expect(cues.map(({ start }) => clock(start))).toContain(at);
      const found = await page.locator('mark').first().innerText();
      expect(found.toLowerCase()).toBe(word.toLowerCase());
      await hit.click();
      await article(page).waitFor();
      await eventually(async () =>
        expect(await page.evaluate<number>(`CSS.highlights.get('current')?.size`)).toBe(1),
      );
      expect(page.url()).toContain('video=manualEn001');
      expect(await page.getByLabel('Search in the transcript').inputValue()).toBe(found);
      expect(await page.evaluate(paintedText)).toBe(found);
      await page.goBack();
      await page.getByLabel('Search').fill('"no such words"');
      await page.keyboard.press('Enter');
      await page.getByText('No passage has all of these words.').waitFor();
      expect(visitor.complaints).toEqual([]);
    });
  });

  it('copies a result as a quote with its day, cites its second, and saves all results as a table', async () => {
    const guest = await signedIn(place);
    const { page, context } = guest.visitor;
    await story(guest.visitor, 'cite', async () => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      const word = await findableWord(guest);
      const { results } = (await guest.customer.get(`/v1/library/search?q=${word}`)).json<{
        results: { match: { start: number }; published_at: string; title: string }[];
      }>();
      const sorted = results.sort((one, other) => one.match.start - other.match.start);
      const [{ match, published_at: day, title } = { match: { start: 0 }, published_at: '', title: '' }] =
        sorted;
      const second = Math.floor(match.start);
      await goTo(place, guest.visitor, `/library?q=${word}`, 'Library');
      const hit = page.locator('.hit').first();
      await hit.getByRole('button', { name: /^Copy quote/ }).click();
      await hit.getByRole('button', { name: 'Copied' }).waitFor();
      const quote = await page.evaluate<string>(PASTED);
      expect(quote).toContain(
        `${day}, ${clock(second)})\nhttps://www.youtube.com/watch?v=${VIDEO}&t=${second}s`,
      );
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: `Cite the video at ${clock(second)}` });
      await dialog.getByText(`${title} [Video]. YouTube.`).waitFor();
      expect(await guest.visitor.checkAppearance()).toEqual(fineLooks);
      await dialog.getByLabel('Format').selectOption('bibtex');
      await dialog.getByText(`@misc{${VIDEO}-${second},`).waitFor();
      await dialog.getByRole('button', { name: 'Copy' }).click();
      await dialog.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.evaluate<string>(PASTED)).toMatch(/^@misc\{[\s\S]*\n\}$/);
      const file = page.waitForEvent('download');
      await dialog.getByRole('button', { name: 'Save as a file' }).click();
      expect((await file).suggestedFilename()).toBe(`${VIDEO}.bib`);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      expect(await page.evaluate<string>('document.activeElement.innerText')).toContain('Cite');
      const table = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Results as CSV' }).click();
      expect((await table).suggestedFilename()).toBe(`Search ${word}.csv`);
      expect(guest.visitor.complaints).toEqual([]);
    });
  });

  it('says what is wrong with a query that names no word', async () => {
    const { visitor } = await signedIn(place);
    await story(visitor, 'no word', async () => {
      await goTo(place, visitor, '/library?q=-crane', 'Library');
      await visitor.page.getByText(/at least one word to find/).waitFor();
      expect(await visitor.checkAppearance()).toEqual(fineLooks);
    });
  });
});
