import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fineLooks, story, Visitor } from '@tds/browser';
import { appAddress } from '#support/testing';
import { enterByKeyboard, goTo, openPlace, type Place, signedIn } from './dashboard.ts';

let place: Place;
let app: ReturnType<typeof createServer>;
let callback: string;
beforeAll(async () => {
  place = await openPlace();
  app = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><html lang="en"><title>App</title><h1>Back in the app</h1></html>');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => app.once('listening', resolve));
  callback = `http://localhost:${(app.address() as AddressInfo).port}/callback`;
});
afterAll(async () => {
  app?.close();
  await place?.stop();
});

/** The address that an app opens in the browser of its user. */
const addressOf = (name: string, scope = 'read fetch jobs'): Promise<string> =>
  appAddress(place.system.gateway, name, { scope, callback, state: 'of the app' });

/** As from a page of the app, which is another site: browsers send no strict cookie then. */
const openFromApp = async ({ page }: Visitor, address: string): Promise<void> => {
  await page.goto(callback);
  await page.evaluate(`location.href = ${JSON.stringify(address)}`);
  await page.getByRole('heading', { name: 'Connect an app', level: 1 }).waitFor();
};

it('the holder reads what an app may do and spend, allows less, sees it listed, and disconnects it', async () => {
  const { visitor } = await signedIn(place);
  const { page } = visitor;
  await story(visitor, 'connect', async () => {
    await openFromApp(visitor, await addressOf('Research assistant'));
    await page.getByText('It may spend at most 20 credits a day').waitFor();
    expect(await page.getByText('this computer').count()).toBe(1);
    expect(await visitor.checkAppearance()).toEqual(fineLooks);
    await page.getByLabel('See your jobs').uncheck();
    await page.getByLabel('Credits that it may spend each day').fill('7');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('heading', { name: 'Back in the app' }).waitFor();
    expect(new URL(page.url()).searchParams.get('code')).not.toBeNull();

    await goTo(place, visitor, '/connections', 'Connected apps');
    const row = page.getByRole('row', { name: 'Research assistant' });
    await row.getByRole('cell', { name: '0 of 7' }).waitFor();
    await row.getByRole('cell', { name: 'read, fetch' }).waitFor();
    expect(await visitor.checkAppearance()).toEqual(fineLooks);
    await row.getByRole('button', { name: 'Disconnect' }).click();
    expect(await visitor.checkAppearance()).toEqual(fineLooks);
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    // What an empty list is waiting for stands in it.
    await page.getByText('No apps.').waitFor();
    await page.getByText(`${place.system.gateway}/v1/mcp`, { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Webhooks' }).first().click();
    await page.getByText('Set a webhook, and send it a test.', { exact: false }).waitFor();
    expect(visitor.complaints).toEqual([]);
  });
});

it('a refusal leads back to the app without a code', async () => {
  const { visitor } = await signedIn(place);
  const { page } = visitor;
  await story(visitor, 'refuse', async () => {
    await openFromApp(visitor, await addressOf('Another', 'read'));
    await page.getByText('It may spend nothing.').waitFor();
    await page.getByRole('button', { name: 'Refuse' }).click();
    await page.getByRole('heading', { name: 'Back in the app' }).waitFor();
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('error'), searchParams.get('code')]).toEqual(['access_denied', null]);
  });
});

it('someone who has no account yet signs up on the way, and is back at the request', async () => {
  const visitor = await Visitor.open(place.browser);
  const { page } = visitor;
  await story(visitor, 'newcomer', async () => {
    await page.goto(await addressOf('Research assistant'));
    await enterByKeyboard(place, visitor, 'connects@example.com');
    await page.getByRole('heading', { name: 'Connect an app', level: 1 }).waitFor();
    await page.getByText('connects@example.com').first().waitFor();
  });
});

it('a request of another browser, or an invented one, is refused in words', async () => {
  const { visitor } = await signedIn(place);
  const { page } = visitor;
  await story(visitor, 'foreign', async () => {
    await page.goto(`${place.system.gateway}/dashboard/connect?request=V1StGXR8_Z5jdHi6B-myT`);
    await page.getByText('Go back to the app and begin again.').waitFor();
    expect(await page.getByRole('button', { name: 'Connect', exact: true }).count()).toBe(0);
    await page.goto(`${place.system.gateway}/oauth/authorize?client_id=unknown&response_type=code`);
    await page.getByRole('heading', { name: 'The app could not be connected' }).waitFor();
    expect(await visitor.violations()).toEqual([]);
  });
});
