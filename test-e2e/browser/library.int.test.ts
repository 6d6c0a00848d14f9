import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fineLooks, story } from '@tds/browser';
import { eventually } from '@tds/test-kit';
import { goTo, openPlace, type Place, signedIn } from './dashboard.ts';
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
const PATIENTLY = { everyMs: 1_500, withinMs: 60_000 };

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
    const { visitor, customer } = await signedIn(place);
    const { page } = visitor;
    await story(visitor, 'search', async () => {
      const cues = await cuesOf(customer, `video_id=${VIDEO}`);
      const word =
        wordsOf(cues[3]?.text.replaceAll(/[^\p{L}\s]/gu, ' ') ?? '').find((one) => one.length > 4) ?? '';
      await eventually(async () => {
        const answer = await customer.get(`/v1/library/search?q=${word}`);
        expect(answer.json<{ total: number }>().total).toBeGreaterThan(0);
      }, PATIENTLY);
      await goTo(place, visitor, '/library', 'Library');
      await page.getByRole('table').getByRole('link').first().waitFor();
      expect(await visitor.checkAppearance()).toEqual(fineLooks);
      await page.getByLabel('Words').fill(word);
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
      await page.getByLabel('Words').fill('"no such words"');
      await page.keyboard.press('Enter');
      await page.getByText('No passage has all of these words.').waitFor();
      expect(visitor.complaints).toEqual([]);
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
