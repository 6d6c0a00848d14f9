import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fineLooks, type Page, story, Visitor } from '@tds/browser';
import { bearer, postJson, putJson } from '@tds/e2e-support/testing';
import { workspaceRoot } from '@tds/servers';
import { type Guest, goTo, openPlace, type Place, signedIn, takeTabKey } from './dashboard.ts';
import { refuse, rememberReads, shownOfRefusals } from './refusals.ts';

let place: Place;
let guest: Guest;
const ids = { job: '', monitor: '', delivery: '' };
beforeAll(async () => {
  place = await openPlace({ LOG_LEVEL: 'silent' });
  guest = await signedIn(place);
  const { gateway, receiver } = place.system;
  const key = bearer(guest.customer.key);
  await putJson(`${gateway}/v1/webhooks`, { url: receiver.hookUrl }, key);
  const made = async (route: string, body: object, name: 'job' | 'monitor' | 'delivery') => {
    const answer = (await postJson(`${gateway}${route}`, body, key)).json<Record<string, { id: string }>>();
    ids[name] = answer[name]?.id ?? '';
  };
  await made('/v1/jobs', { video_ids: ['noCaptions1'] }, 'job');
  await made('/v1/monitors', { channel: '@simulated-05', auto_fetch: true }, 'monitor');
  await made('/v1/webhooks/test', {}, 'delivery');
});
afterAll(() => place?.stop());

/** Each view by its route in the dashboard, with parts that may be left out in silence. */
const views: Readonly<Record<string, { at?: () => string; silent?: readonly string[] }>> = {
  '/': { at: () => '', silent: ['/v1/webhooks'] },
  '/keys': {},
  '/jobs': {},
  '/jobs/new': {},
  '/jobs/:id': { at: () => `/jobs/${ids.job}` },
  '/monitors': {},
  '/monitors/:id': { at: () => `/monitors/${ids.monitor}` },
  '/webhooks': {},
  '/webhooks/:id': { at: () => `/webhooks/${ids.delivery}` },
  '/billing': {},
  '/billing/ledger': { silent: ['/v1/keys'] },
  '/settings': { silent: ['/v1/jobs', '/v1/monitors'] },
};

it('every view of the dashboard stands in this table', () => {
  const main = readFileSync(path.join(workspaceRoot, 'packages/dashboard/src/main.tsx'), 'utf8');
  const routes = [...main.matchAll(/<Route path="([^"]+)"/g)].map(([, route]) => route);
  expect(Object.keys(views)).toEqual(routes);
});

/** The addresses of the API that a view has read by the time it is quiet. */
const readBy = async ({ visitor }: Guest, address: string): Promise<string[]> => {
  visitor.requests.length = 0;
  await visitor.page.goto(address);
  await visitor.page.waitForLoadState('networkidle');
  const called = visitor.requests
    .map((line) => line.split(' '))
    .filter(([method, url = '']) => method === 'GET' && new URL(url).pathname.startsWith('/v1/'))
    .map(([, url = '']) => new URL(url).pathname);
  return [...new Set(called)].filter((called) => !called.endsWith('/events'));
};

const expectRefusal = async (page: Page): Promise<void> => {
  const alert = page.getByRole('alert').first();
  await alert.waitFor();
  const text = await alert.innerText();
  for (const shown of shownOfRefusals) expect(text).toContain(shown);
};

describe('if a service is down', () => {
  it.each(Object.entries(views))('the rest of %s works', async (route, { at, silent = [] }) => {
    const { visitor } = guest;
    const { page } = visitor;
    await story(visitor, `down: ${route}`, async () => {
      const address = `${place.system.gateway}/dashboard${at?.() ?? route}`;
      const forget = await rememberReads(page);
      const called = await readBy(guest, address);
      expect(called).toContain('/v1/account');
      for (const path of called) {
        const end = await refuse(page, (method, at) => method === 'GET' && at === path);
        await page.goto(address);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.waitForLoadState('networkidle');
        expect(await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link').count()).toBe(8);
        const alerts = await page.getByRole('alert').count();
        expect([path, alerts]).toEqual([path, silent.includes(path) ? 0 : 1]);
        if (alerts > 0) await expectRefusal(page);
        await end();
        const retry = page.getByRole('button', { name: 'Try again' });
        if (alerts > 0) {
          await retry.click();
          await page.getByRole('alert').waitFor({ state: 'detached' });
        }
      }
      await forget();
      expect(visitor.complaints).toEqual([]);
    });
  });
});

type Form = {
  readonly view: string;
  readonly heading: string;
  /** Opens the form and fills it. */
  readonly fill: (page: Page) => Promise<void>;
  readonly submit: string;
  /** What must still be there: by the label of its field. */
  readonly kept: Readonly<Record<string, string>>;
};
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const enter = (label: string, text: string) => (page: Page) => page.getByLabel(label).fill(text);

const forms: Readonly<Record<string, Form>> = {
  'a new key': {
    ...{ view: '/keys', heading: 'Keys', submit: 'Create key' },
    fill: async (page) => {
      await press(page, 'New key');
      await page.getByLabel('Name').fill('Reports');
      await page.getByLabel('Daily cap in credits').fill('7');
    },
    kept: { Name: 'Reports', 'Daily cap in credits': '7' },
  },
  'a changed key': {
    ...{ view: '/keys', heading: 'Keys', submit: 'Save' },
    fill: async (page) => {
      await press(page, 'Change default');
      await page.getByLabel('Name').fill('Renamed');
    },
    kept: { Name: 'Renamed' },
  },
  'a webhook': {
    ...{ view: '/webhooks', heading: 'Webhooks', submit: 'Save' },
    fill: enter('Address of the receiver', 'https://example.com/other'),
    kept: { 'Address of the receiver': 'https://example.com/other' },
  },
  'a new monitor': {
    ...{ view: '/monitors', heading: 'Monitors', submit: 'Watch it' },
    fill: async (page) => {
      await press(page, 'New monitor');
      await takeTabKey(guest.visitor);
      await page.getByLabel('Channel or playlist').fill('@simulated-07');
    },
    kept: { 'Channel or playlist': '@simulated-07' },
  },
  'a source of a job': {
    ...{ view: '/jobs/new', heading: 'New job', submit: 'Find the videos' },
    fill: async (page) => {
      await takeTabKey(guest.visitor);
      await page.getByLabel('Videos').fill('https://youtu.be/manualEn001 and more');
    },
    kept: { Videos: 'https://youtu.be/manualEn001 and more' },
  },
  'a job': {
    ...{ view: '/jobs/new', heading: 'New job', submit: 'Start the job' },
    fill: async (page) => {
      await takeTabKey(guest.visitor);
      await page.getByLabel('Videos').fill('manualEn001');
      await press(page, 'Find the videos');
      await page.getByLabel('Name of the job').fill('Talks');
    },
    kept: { Videos: 'manualEn001', 'Name of the job': 'Talks' },
  },
  'the end of the account': {
    ...{ view: '/settings', heading: 'Settings', submit: 'Close the account' },
    fill: async (page) => {
      await press(page, 'Close the account');
      await page.getByRole('dialog').getByRole('textbox').fill(guest.customer.email);
    },
    kept: {},
  },
};

describe('a refused form', () => {
  beforeAll(async () => {
    guest = await signedIn(place);
    const { gateway, receiver } = place.system;
    await putJson(`${gateway}/v1/webhooks`, { url: receiver.hookUrl }, bearer(guest.customer.key));
  });

  it.each(Object.entries(forms))(
    'of %s says the code, what to do and the request, and keeps what was entered',
    async (name, form) => {
      const { visitor } = guest;
      const { page } = visitor;
      await story(visitor, `refused: ${name}`, async () => {
        await goTo(place, visitor, form.view, form.heading);
        await form.fill(page);
        const end = await refuse(page, (method, at) => method !== 'GET' || at === '/v1/videos');
        await page.getByRole('button', { name: form.submit, exact: true }).last().click();
        await expectRefusal(page);
        for (const [label, text] of Object.entries(form.kept))
          expect(await page.getByLabel(label, { exact: true }).inputValue()).toBe(text);
        expect(await visitor.looks()).toEqual(fineLooks);
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
      expect(await visitor.looks()).toEqual(fineLooks);
      await end();
      await visitor.context.setOffline(true);
      await press(page, 'Send a code');
      await page.getByText('The service cannot be reached. What you entered is still here.').waitFor();
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
