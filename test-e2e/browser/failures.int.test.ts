import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fineLooks, type Page, story, Visitor } from '@tds/browser';
import { workspaceRoot } from '@tds/servers';
import { eventually } from '@tds/test-kit';
import { appAddress, bearer, call, postJson, putJson } from '#support/testing';
import { type Guest, goTo, openPlace, type Place, signedIn } from './dashboard.ts';
import { forms, press } from './forms.ts';
import { expectRefusal, hang, readBy, refuse, rememberReads } from './refusals.ts';

let place: Place;
let guest: Guest;
const ids = { job: '', monitor: '', delivery: '', request: '', appRequest: '' };
/** Those of the navigation. */
const LINKS = 9;

type Made = { job: { id: string }; monitor: { id: string }; delivery: { id: string }; checkout_url: string };
const make = async (route: string, body: object = {}): Promise<Made> =>
  (await postJson(`${place.system.gateway}${route}`, body, bearer(guest.customer.key))).json<Made>();

/** A customer with a webhook and a delivery of it. */
const welcome = async (): Promise<void> => {
  guest = await signedIn(place);
  const { gateway, receiver } = place.system;
  await putJson(`${gateway}/v1/webhooks`, { url: receiver.hookUrl }, bearer(guest.customer.key));
  ids.delivery = (await make('/v1/webhooks/test')).delivery.id;
};
beforeAll(async () => {
  place = await openPlace();
  await welcome();
  ids.job = (await make('/v1/jobs', { video_ids: ['noCaptions1'] })).job.id;
  ids.monitor = (await make('/v1/monitors', { channel: '@simulated-05', auto_fetch: true })).monitor.id;
  const refused = await guest.customer.get('/v1/transcript?video_id=x');
  ids.request = String(refused.headers.get('x-request-id'));
  const { page } = guest.visitor;
  await page.goto(await appAddress(place.system.gateway, 'An app'));
  ids.appRequest = String(new URL(page.url()).searchParams.get('request'));
  await eventually(async () =>
    expect((await guest.customer.get(`/v1/requests/${ids.request}`)).status).toBe(200),
  );
});
afterAll(() => place?.stop());

/** Each view by its route in the dashboard, and its address. */
const views: Readonly<Record<string, () => string>> = {
  '/': () => '',
  '/read': () => '/read',
  '/library': () => '/library',
  '/links': () => '/links',
  '/keys': () => '/keys',
  '/connections': () => '/connections',
  '/connect': () => `/connect?request=${ids.appRequest}`,
  '/jobs': () => '/jobs',
  '/jobs/new': () => '/jobs/new',
  '/jobs/:id': () => `/jobs/${ids.job}`,
  '/matches': () => '/matches',
  '/monitors': () => '/monitors',
  '/monitors/:id': () => `/monitors/${ids.monitor}`,
  '/webhooks': () => '/webhooks',
  '/webhooks/:id': () => `/webhooks/${ids.delivery}`,
  '/receivers': () => '/receivers',
  '/requests': () => '/requests',
  '/requests/:id': () => `/requests/${ids.request}`,
  '/billing': () => '/billing',
  '/billing/ledger': () => '/billing/ledger',
  '/settings': () => '/settings',
};

it('every view of the dashboard stands in this table', () => {
  const main = readFileSync(path.join(workspaceRoot, 'packages/web/dashboard/src/main.tsx'), 'utf8');
  const routes = [...main.matchAll(/<Route path="([^"]+)"/g)].map(([, route]) => route);
  expect([...Object.keys(views), '/join'].toSorted()).toEqual(routes.toSorted());
});

const PEOPLE = '/v1/account/people';
/** Views that only add the name of a person, and leave it out while people cannot be read. */
const namesPeople = ['/keys', '/jobs/:id', '/monitors/:id', '/requests/:id'];

/** Refuses one read of a view: one part says so, the rest is there, and it comes back. */
const loseRead = async (page: Page, address: string, path: string): Promise<void> => {
  const end = await refuse(page, (method, at) => method === 'GET' && at === path);
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('alert').first().waitFor();
  await page.waitForLoadState('networkidle');
  expect(await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link').count()).toBe(LINKS);
  expect([path, await page.getByRole('alert').count()]).toEqual([path, 1]);
  await expectRefusal(page);
  await end();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('alert').waitFor({ state: 'detached' });
};

describe('if a service is down', () => {
  let tabs: Page[] = [];
  beforeAll(async () => {
    const { context, page } = guest.visitor;
    tabs = [page, await context.newPage(), await context.newPage()];
  });
  afterAll(() => Promise.all(tabs.slice(1).map((tab) => tab.close())));

  it.each(Object.entries(views))('the rest of %s works', async (route, addressOf) => {
    const { visitor } = guest;
    await story(visitor, `down: ${route}`, async () => {
      const address = `${place.system.gateway}/dashboard${addressOf()}`;
      const forget = await rememberReads(visitor);
      const called = await readBy(visitor, address);
      expect(called).toContain('/v1/account');
      const paths = called.filter((path) => path !== PEOPLE || !namesPeople.includes(route));
      // Each waits for quiet most of the time.
      const loseReads = async (tab: Page) => {
        for (let path = paths.shift(); path !== undefined; path = paths.shift())
          await loseRead(tab, address, path);
      };
      await Promise.all(tabs.map(loseReads));
      await forget();
      expect(visitor.complaints).toEqual([]);
    });
  });
});

/** A person who is invited need not be signed in. */
it.each([['/join', '/v1/account'], ...namesPeople.map((route) => [route, PEOPLE])])(
  '%s is whole without %s',
  async (route, path) => {
    const { page } = guest.visitor;
    const end = await refuse(page, (_method, at) => at === path);
    await page.goto(`${place.system.gateway}/dashboard${views[route]?.() ?? route}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.getByRole('alert').count()).toBe(0);
    await end();
  },
);

describe('if a service hangs', () => {
  it('every view has its heading and the navigation, and leads on to the next one', async () => {
    const { visitor } = guest;
    const { page } = visitor;
    await story(visitor, 'all hangs', async () => {
      const end = await hang(page, () => true);
      for (const addressOf of Object.values(views)) {
        await page.goto(`${place.system.gateway}/dashboard${addressOf()}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        expect(await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link').count()).toBe(LINKS);
      }
      await page.getByRole('link', { name: 'Access' }).click();
      await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
      await end();
      expect(visitor.complaints).toEqual([]);
    });
  });

  it('its part says that it waits, then what to do, and the others are there', async () => {
    const { visitor } = guest;
    const { page } = visitor;
    await story(visitor, 'a part hangs', async () => {
      let isHung = true;
      const end = await hang(page, (path) => isHung && path === '/v1/usage');
      await goTo(place, visitor, '', 'Overview');
      await page.getByText('Available credits').waitFor();
      await page.getByRole('table').waitFor();
      await page.getByText('Waiting for the service…').waitFor();
      expect(await page.getByText('Waiting for the service…').count()).toBe(1);
      await page.getByText('The service has not answered for ten seconds.').waitFor();
      expect(await visitor.checkAppearance()).toEqual(fineLooks);
      isHung = false;
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('View as table').waitFor();
      await end();
      expect(visitor.complaints).toEqual([]);
    });
  });
});

describe('a refused form', () => {
  beforeAll(async () => {
    await welcome();
    await call((await make('/v1/checkout', { block: 20 })).checkout_url, { method: 'POST' });
    await eventually(async () => {
      const bought = await guest.customer.get('/v1/billing/purchases');
      expect(bought.json()).toMatchObject({ purchases: [{ status: 'paid', refundable: true }] });
    });
  });

  it.each(Object.entries(forms))(
    'of %s says the code, what to do and the request, and keeps what was entered',
    async (name, { view, heading, fill, submit, kept = {} }) => {
      const { visitor } = guest;
      const { page } = visitor;
      await story(visitor, `refused: ${name}`, async () => {
        await goTo(place, visitor, view.replace(':delivery', ids.delivery), heading);
        await fill?.(guest);
        const end = await refuse(page, (method, at) => method !== 'GET' || at === '/v1/videos');
        await page.getByRole('button', { name: submit, exact: true }).last().click();
        await expectRefusal(page);
        for (const [label, text] of Object.entries(kept))
          expect(await page.getByLabel(label, { exact: true }).inputValue()).toBe(text);
        expect(await visitor.checkAppearance()).toEqual(fineLooks);
        await end();
        expect(visitor.complaints).toEqual([]);
      });
    },
  );

  it('of the sign-in does so too, and so does one that gets no answer', async () => {
    const visitor = await Visitor.open(place.browser);
    const { page } = visitor;
    await story(visitor, 'refused: sign-in', async () => {
      await page.goto(`${place.system.gateway}/signin`);
      await page.getByLabel('Email address').fill('refused@example.com');
      const end = await refuse(page, (method) => method === 'POST');
      await press(page, 'Send a code');
      await expectRefusal(page);
      expect(await page.getByLabel('Email address').inputValue()).toBe('refused@example.com');
      expect(await visitor.checkAppearance()).toEqual(fineLooks);
      await end();
      await visitor.context.setOffline(true);
      await press(page, 'Send a code');
      await page.getByText(/cannot be reached. What you entered is still here/).waitFor();
      await visitor.context.setOffline(false);
      await press(page, 'Send a code');
      await page.getByLabel('Code of six digits').waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
    });
  });

  it('of the page that sells credits does so too, and prices that are missing hide nothing else', async () => {
    const visitor = await Visitor.open(place.browser);
    const { page } = visitor;
    await story(visitor, 'refused: buy', async () => {
      const end = await refuse(page, () => true);
      await page.goto(`${place.system.gateway}/buy`);
      await expectRefusal(page);
      await page.getByLabel('Email address of the account').fill('buyer@example.com');
      await page.getByLabel('20 credits', { exact: true }).check();
      await press(page, 'Go to payment');
      await expectRefusal(page);
      expect(await page.getByLabel('Email address of the account').inputValue()).toBe('buyer@example.com');
      expect(await page.getByLabel('20 credits', { exact: true }).isChecked()).toBe(true);
      expect(visitor.complaints).toEqual([]);
      await end();
    });
  });
});
