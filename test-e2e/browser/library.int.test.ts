import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fineLooks, story } from '@tds/browser';
import { eventually } from '@tds/test-kit';
import { goTo, openPlace, type Place, signedIn } from './dashboard.ts';
import { article, cuesOf, wordsOf } from './reading.ts';

let place: Place;
beforeAll(async () => {
  place = await openPlace({ LOG_LEVEL: 'silent' });
});
afterAll(() => place?.stop());

const VIDEO = 'manualEn001';
const PATIENTLY = { everyMs: 1_500, withinMs: 60_000 };

describe('the library of a customer', () => {
  it('says what to do while it is empty', async () => {
    const { visitor } = await signedIn(place);
    await story(visitor, 'empty', async () => {
      await goTo(place, visitor, '/library', 'Library');
      await visitor.page.getByText('None yet.').waitFor();
      expect(await visitor.looks()).toEqual(fineLooks);
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
      expect(await visitor.looks()).toEqual(fineLooks);
      await page.getByLabel('Words').fill(word);
      await page.keyboard.press('Enter');
      await page.getByText(/^\d+ passages?/).waitFor();
      expect(await visitor.looks()).toEqual(fineLooks);
      const hit = page
        .getByRole('listitem')
        .getByRole('link', { name: /, at \d/ })
        .first();
      const [, at = ''] = /, at ([\d:]+)$/.exec(await hit.innerText()) ?? [];
      await hit.click();
      await article(page).waitFor();
      await eventually(async () =>
        expect(await page.evaluate<number>(`CSS.highlights.get('current')?.size`)).toBe(1),
      );
      expect(page.url()).toContain('video=manualEn001');
      await article(page).getByRole('link', { name: at, exact: true }).waitFor();
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
      expect(await visitor.looks()).toEqual(fineLooks);
    });
  });
});
