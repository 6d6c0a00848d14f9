import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { story, Visitor } from '@tds/browser';
import { readCode } from '#support/testing';
import { goTo, openPlace, type Place, signUpByKeyboard } from './dashboard.ts';

const EMAIL = 'secretive@example.com';
let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place?.stop());

/** Everything that the browser keeps of this site and a script may read. */
const kept = (visitor: Visitor): Promise<string> =>
  visitor.page.evaluate<string>(`(async () => JSON.stringify([
    { ...localStorage }, { ...sessionStorage }, document.cookie, history.state,
    await indexedDB.databases(), await caches.keys(), document.title, location.href,
  ]))()`);

it('no secret is kept in storage, in an address or in the console, and none is shown twice', async () => {
  const visitor = await Visitor.open(place.browser);
  const { page } = visitor;
  const secrets: string[] = [];
  const note = async () => secrets.push(await page.locator('.secret code').innerText());
  await story(visitor, 'secrets', async () => {
    await page.goto(`${place.system.gateway}/signin`);
    secrets.push(await signUpByKeyboard(place, visitor, EMAIL));
    secrets.push(await readCode(place.system.mail.url, EMAIL));
    await page.getByRole('link', { name: /to the dashboard/ }).click();

    await goTo(place, visitor, '/keys', 'Keys');
    await page.getByRole('button', { name: 'Rotate default' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate', exact: true }).click();
    await note();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('Second');
    await page.getByRole('button', { name: 'Create key' }).click();
    await note();
    await page.getByRole('button', { name: 'I have copied it' }).click();

    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByLabel('Address of the receiver').fill(place.system.receiver.hookUrl);
    await page.getByRole('button', { name: 'Create the webhook' }).click();
    await note();
    await page.getByRole('button', { name: 'I have copied it' }).click();

    // The dashboard's own key starts a job and saves its files.
    const ownKey = page.waitForResponse('**/v1/dashboard/key');
    await page.getByRole('link', { name: 'Jobs' }).click();
    await page.getByRole('link', { name: 'New job' }).click();
    await page.getByLabel('Videos').fill('manualEn001');
    await page.getByRole('button', { name: 'Find the videos' }).click();
    secrets.push((await (await ownKey).json()).key.secret);
    await page.getByRole('button', { name: 'Start the job' }).click();
    await page.getByText('1 of 1 done').waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the ZIP' }).click();
    await download;
    const shown = await page.content();
    const left = await kept(visitor);

    expect(secrets.map((secret) => secret.length > 5)).toEqual([true, true, true, true, true, true]);
    expect(new Set(secrets).size).toBe(6);
    const traces = [shown, left, ...visitor.requests, ...visitor.lines];
    for (const secret of secrets) expect(traces.filter((trace) => trace.includes(secret))).toEqual([]);
    expect(visitor.requests.length).toBeGreaterThan(20);
    expect(visitor.complaints).toEqual([]);
  });
});
