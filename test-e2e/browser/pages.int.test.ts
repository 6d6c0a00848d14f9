import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { story, Visitor } from '@tds/browser';
import { eventually } from '@tds/test-kit';
import { bearer, call, postJson } from '#support/testing';
import { goTo, openPlace, type Place, signedIn } from './dashboard.ts';

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place?.stop());

it('no page for people has a fault that axe finds, nor does the one for an address that is wrong', async () => {
  const { gateway } = place.system;
  const list = await call(`${gateway}/llms.txt`);
  const paths = [...list.text.matchAll(/\]\(http[^)]*?(\/[^)/]*(?:\/[^)]*)?)\.md\)/g)].map(([, path = '']) =>
    path.replace(/^.*:\d+/, '').replace('/index', '/'),
  );
  expect(paths.length).toBeGreaterThan(15);
  const visitor = await Visitor.open(place.browser);
  await story(visitor, 'pages', async () => {
    for (const path of [...paths, '/status', '/nothing/here']) {
      await visitor.page.goto(`${gateway}${path}`);
      expect([path, await visitor.violations()]).toEqual([path, []]);
    }
    await visitor.page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    expect(await visitor.page.locator('meta[http-equiv="refresh"]').count()).toBe(0);
    expect(visitor.complaints).toEqual([]);
  });
});

it('a slash at the end and the names that people type lead to the page', async () => {
  const { visitor } = await signedIn(place);
  const { page } = visitor;
  await story(visitor, 'ways', async () => {
    for (const [typed, path] of [
      ...[
        ['/docs/', '/docs'] as const,
        ['/pricing', '/docs/credits'] as const,
        ['/login/', '/signin'] as const,
      ],
      ['/dashboard/?from=mail', '/dashboard?from=mail'] as const,
    ]) {
      await page.goto(`${place.system.gateway}${typed}`);
      expect(page.url()).toBe(`${place.system.gateway}${path}`);
    }
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.reload();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  });
});

it('the samples of the reference are copied, and headings lead to themselves', async () => {
  const visitor = await Visitor.open(place.browser);
  const { page } = visitor;
  await story(visitor, 'samples', async () => {
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${place.system.gateway}/reference/keys`);
    const sample = page.locator('#createKey .samples details[open]');
    await sample.getByRole('button', { name: 'Copy' }).click();
    await sample.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(
      await sample.locator('code').textContent(),
    );
    await page.getByRole('link', { name: 'Create a key', exact: true }).last().click();
    expect(new URL(page.url()).hash).toBe('#createKey');
  });
});

it('a buyer who is signed in buys under Billing, waits for the payment, and sees the new balance and the way on', async () => {
  const { visitor, customer } = await signedIn(place);
  const { page } = visitor;
  await story(visitor, 'paid', async () => {
    await goTo(place, visitor, '', 'Overview');
    // The browser is known to be signed in once its account is.
    await eventually(async () => expect(await page.evaluate("localStorage.getItem('signed-in')")).toBe('1'));
    await page.goto(`${place.system.gateway}/buy`);
    await page.getByRole('heading', { name: 'Billing', level: 1 }).waitFor();
    const body = { block: 20 };
    const bought = await postJson(`${place.system.gateway}/v1/checkout`, body, bearer(customer.key));
    await page.goto(`${place.system.gateway}/checkout/success`);
    await page.getByText('Waiting for the payment…').waitFor();
    expect(await page.getByText('You have').isVisible()).toBe(false);
    await call(bought.json<{ checkout_url: string }>().checkout_url, { method: 'POST' });
    await page.getByText('You have 120 credits.').waitFor();
    expect(await page.getByText('Your payment is on its way').isVisible()).toBe(false);
    await page.getByRole('link', { name: 'Billing' }).first().click();
    await page.getByRole('heading', { name: 'Billing', level: 1 }).waitFor();
    expect(visitor.complaints).toEqual([]);
  });
});

it('a mark of a session that has ended does not bar the page that sells credits', async () => {
  const visitor = await Visitor.open(place.browser);
  const { page } = visitor;
  await story(visitor, 'left over mark', async () => {
    await page.goto(`${place.system.gateway}/docs/credits`);
    await page.getByRole('cell', { name: /^\$\d/ }).first().waitFor();
    await page.evaluate("localStorage.setItem('signed-in', '1')");
    await page.goto(`${place.system.gateway}/buy`);
    await page.getByLabel('Email address of the account').waitFor();
  });
});
