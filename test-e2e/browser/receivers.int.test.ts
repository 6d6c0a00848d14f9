import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fineLooks } from '@tds/browser';
import { eventually } from '@tds/test-kit';
import { goTo, openPlace, type Place, signedIn } from './dashboard.ts';

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place?.stop());

it('a chat and a server become receivers, are tested, changed and deleted, and no address of a chat is shown again', async () => {
  const { visitor } = await signedIn(place);
  const { page } = visitor;
  const { receiver, gateway } = place.system;
  const path = `/${crypto.randomUUID()}`;
  const dialog = page.getByRole('dialog');
  await goTo(place, visitor, '/receivers', 'Receivers');
  await page.getByText('None. A receiver gets the events').waitFor();
  await page.getByRole('button', { name: 'New receiver' }).click();
  await dialog.getByLabel('Name').fill('Newsroom');
  await dialog.getByLabel('Address').fill('https://10.0.0.1/services/x');
  expect(await visitor.checkAppearance()).toEqual(fineLooks);
  await dialog.getByRole('button', { name: 'Create it' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Address').fill(receiver.hookUrl + path);
  await dialog.getByRole('button', { name: 'Create it' }).click();
  await page.getByRole('rowheader', { name: 'Newsroom' }).waitFor();
  expect(await page.content()).not.toContain(path);
  expect(await visitor.checkAppearance()).toEqual(fineLooks);
  await page.getByRole('button', { name: 'Send again Newsroom' }).click();
  await page.getByText('Nothing of the last seven days has failed.').waitFor();
  await page.getByRole('button', { name: 'Test Newsroom' }).click();
  await page.getByRole('heading', { name: 'webhook.test', level: 1 }).waitFor();
  await eventually(() => expect(receiver.received(path)).toHaveLength(1));
  expect(await page.content()).not.toContain(path);

  await page.goto(`${gateway}/dashboard/receivers`);
  await page.getByRole('button', { name: 'Change Newsroom' }).click();
  await dialog.getByLabel('Name').fill('Editors');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('rowheader', { name: 'Editors' }).waitFor();
  await page.getByRole('button', { name: 'New receiver' }).click();
  await dialog.getByLabel('Name').fill('Archive');
  await dialog.getByLabel('Form').selectOption('signed');
  await dialog.getByLabel('Address').fill(receiver.hookUrl);
  await dialog.getByRole('button', { name: 'Create it' }).click();
  await page.getByRole('heading', { name: 'Signing secret' }).waitFor();
  expect(await page.locator('.secret code').innerText()).toMatch(/^whsec_/);
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByRole('button', { name: 'Delete Editors' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('rowheader', { name: 'Editors' }).waitFor({ state: 'detached' });
  expect(await page.getByRole('rowheader').count()).toBe(1);
});
