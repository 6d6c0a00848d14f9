import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fineLooks, story } from '@tds/browser';
import { channelAt } from '@tds/simulators/platform';
import { channelVideoIds } from '@tds/simulators/platform/testing';
import { eventually } from '@tds/test-kit';
import { bearer, call, fifteenMinutesPass, postJson } from '#support/testing';
import { goTo, openPlace, type Place, signedIn } from './dashboard.ts';
import { article, cuesOf, wordsOf } from './reading.ts';

const SEED = 1;
const CHANNEL = 9;
const channel = channelAt(CHANNEL, SEED);
let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place?.stop());

type Matches = { matches: { query: string; passages: { start: number }[] }[] };
/** As often as a free account may ask. */
const gently = { everyMs: 1_500 };
/** What the reader is shown, of the text of the page. */
const paintedText = `[...CSS.highlights.get('current')].map((range) =>
  range.startContainer.data.slice(range.startOffset, range.endOffset)).join()`;

it('a person watches a channel for a phrase, reads it at its second, and changes the words and the mail', async () => {
  const [{ visitor, customer }, other] = [await signedIn(place), await signedIn(place)];
  const { page } = visitor;
  await story(visitor, 'words', async () => {
    const [known = ''] = channelVideoIds(CHANNEL, SEED);
    await customer.get(`/v1/transcript?video_id=${known}&language=orig`);
    const [first] = await cuesOf(customer, `video_id=${known}&language=orig`);
    const word = wordsOf(first?.text.replaceAll(/[^\p{L}\s]/gu, ' ') ?? '')[0] ?? '';

    await goTo(place, visitor, '/monitors', 'Monitors');
    await page.getByRole('button', { name: 'New monitor' }).click();
    await page.getByLabel('Channel or playlist').fill(channel?.handle ?? '');
    await page.getByLabel('Words to watch for').fill(word);
    await page.getByText('1 credit for each new video', { exact: false }).waitFor();
    expect(await page.getByLabel('Fetch new transcripts by a job').isChecked()).toBe(true);
    await eventually(async () => {
      await page.getByRole('button', { name: 'Try these words' }).click();
      await page.getByText('In the newest transcript of this source: 1 match.').waitFor({ timeout: 2_000 });
    }, gently);
    expect(await visitor.checkAppearance()).toEqual(fineLooks);
    await page.getByRole('button', { name: 'Watch it' }).click();
    await page.getByText('None yet. New videos are searched', { exact: false }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1);
    expect(await page.getByLabel('Mail', { exact: true }).inputValue()).toBe('daily');

    const [uploaded = ''] = place.system.simulator.upload({ to: String(channel?.id), count: 1 });
    const cues = await cuesOf(other.customer, `video_id=${uploaded}&language=orig`);
    const cue = cues[3];
    const phrase = wordsOf(cue?.text ?? '')
      .slice(0, 3)
      .join(' ')
      .replaceAll('"', '');
    await page.getByLabel('Words to watch for').fill(`${word}\n"${phrase}"`);
    const box = (name: string) =>
      page.locator('section', { has: page.getByRole('heading', { name, exact: true }) });
    for (const name of ['Words', 'Your mails']) {
      if (name === 'Your mails') await page.getByLabel('Mail', { exact: true }).selectOption('now');
      await box(name).getByRole('button', { name: 'Save' }).click();
      await box(name).getByText('Saved.').waitFor();
    }
    expect((await customer.get(`/v1/monitors/${id}`)).json()).toMatchObject({
      monitor: { words: [word, `"${phrase}"`], mail: 'daily', auto_fetch: true },
    });

    await fifteenMinutesPass(place.system);
    let start = Number.NaN;
    await eventually(async () => {
      const { matches } = (await customer.get(`/v1/monitors/${id}/matches`)).json<Matches>();
      const found = matches.find(({ query }) => query === `"${phrase}"`);
      // The sentence may begin before the line with the phrase, never after it.
      start = Number(found?.passages[0]?.start);
      expect(start).toBeLessThanOrEqual(Number(cue?.start));
    }, gently);
    const inbox = `${place.system.mail.url}/messages?to=${encodeURIComponent(customer.email)}`;
    const mailed = new RegExp(`http\\S+/dashboard/read\\?video=${uploaded}&language=\\S+`);
    const link = await eventually(async () => {
      const texts = (await call(inbox)).json<{ text: string }[]>().map(({ text }) => text);
      const [found] = mailed.exec(texts.join('\n')) ?? [];
      return found ?? Promise.reject(new Error(`no link in ${texts.join()}`));
    }, gently);
    await page.goto(link);
    await article(page).waitFor();
    expect(await page.evaluate<string>(paintedText)).not.toBe('');
    await page.goto(`${place.system.gateway}/dashboard/monitors/${id}`);
    const match = page.getByRole('listitem').filter({ hasText: `"${phrase}"` });
    await match.first().waitFor();
    expect(await visitor.checkAppearance()).toEqual(fineLooks);
    await match.first().getByRole('link').first().click();
    await article(page).waitFor();
    expect(new URL(page.url()).searchParams.get('at')).toBe(`${Math.floor(start)}`);
    const words = wordsOf(await page.evaluate<string>(paintedText)).join(' ');
    // Signs at its ends are no words.
    expect(words.toLowerCase()).toContain(phrase.toLowerCase().replaceAll(/^[^\p{L}\d]+|[^\p{L}\d]+$/gu, ''));

    await goTo(place, visitor, '/', 'Overview');
    await page.getByRole('link', { name: 'All matches' }).click();
    const listed = page.getByRole('listitem').filter({ hasText: `"${phrase}"` });
    await listed
      .getByRole('button', { name: /^Copy quote/ })
      .first()
      .waitFor();
    expect(await listed.locator('mark').count()).toBeGreaterThan(0);
    expect(await visitor.checkAppearance()).toEqual(fineLooks);
    const [table] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'As CSV' }).click(),
    ]);
    expect(table.suggestedFilename()).toBe('Matches.csv');
    await page.getByRole('button', { name: 'Create a feed' }).click();
    const feed = await call(await page.locator('figure.command code').innerText());
    expect(feed.text).toContain(`&amp;at=${Math.floor(start)}&amp;words=`);

    await goTo(place, visitor, '/settings', 'Settings');
    await page.getByLabel('Mails about monitors and jobs').uncheck();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    await page.goto(`${place.system.gateway}/dashboard/monitors/${id}`);
    await page.getByText('None is sent: mails about monitors and jobs are off').waitFor();
    expect(visitor.complaints).toEqual([]);
  });
});

it('who watches in German reads the German words by the link of the mail, and that a machine has translated them', async () => {
  const [{ visitor, customer }, other] = [await signedIn(place), await signedIn(place)];
  const { page } = visitor;
  const { gateway, simulator, mail } = place.system;
  await story(visitor, 'translated words', async () => {
    const watched = channelAt(CHANNEL + 4, SEED);
    const body = { channel: watched?.handle, auto_fetch: true, language: 'de', words: ['none'], mail: 'now' };
    const made = await postJson(`${gateway}/v1/monitors`, body, bearer(customer.key));
    const { id } = made.json<{ monitor: { id: string } }>().monitor;
    const [uploaded = ''] = simulator.upload({ to: String(watched?.id), count: 1 });
    const [, , cue] = await cuesOf(other.customer, `video_id=${uploaded}&language=de`);
    // Behind the mark of the simulator's translations.
    const phrase = wordsOf(cue?.text.replaceAll('"', '') ?? '')
      .slice(1, 4)
      .join(' ');
    const changed = { method: 'PATCH', body: JSON.stringify({ words: [`"${phrase}"`] }) };
    const headers = { ...bearer(customer.key), 'content-type': 'application/json' };
    expect((await call(`${gateway}/v1/monitors/${id}`, { ...changed, headers })).status).toBe(200);
    await fifteenMinutesPass(place.system);
    const text = await eventually(async () => {
      const inbox = `${mail.url}/messages?to=${encodeURIComponent(customer.email)}`;
      const mails = (await call(inbox)).json<{ text: string }[]>().map((one) => one.text);
      return mails.find((one) => one.includes(phrase)) ?? Promise.reject(new Error(mails.join('\n')));
    }, gently);
    expect(text).toContain('translated by machine, nobody said these words');
    await page.goto(/http\S+\/dashboard\/read\?\S+/.exec(text)?.[0] ?? '');
    await page.locator('article[lang="de"]').waitFor();
    expect(wordsOf(await page.evaluate<string>(paintedText)).join(' ')).toContain(phrase);
    await page.getByText('translated by machine').first().waitFor();
    expect(visitor.complaints).toEqual([]);
  });
});
