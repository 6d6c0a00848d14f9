import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fineLooks, story, Visitor } from '@tds/browser';
import { awaitMails, bearer, call, readCode } from '#support/testing';
import {
  enterByKeyboard,
  goTo,
  openPlace,
  otherTab,
  type Place,
  signedIn,
  signIn,
  signUpByKeyboard,
} from './dashboard.ts';

/** In full width, with a space, a dash and a sign without width, as some mail programs copy it. */
const asPasted = (code: string): string =>
  ` \u200b${code.slice(0, 3)} -${code.slice(3)}`.replaceAll(/\d/g, (digit) =>
    String.fromCodePoint(0xff10 + Number(digit)),
  );

const MAX_SCRIPT_BYTES = 120 * 1_024;
/** A slow connection: 1.6 Mbit/s, and 150 ms for each round trip. */
const slow = { bytesASecond: 200_000, roundTripSeconds: 0.15 };
/** Connecting, the page, and what the page names. */
const ROUND_TRIPS = 3;
let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place?.stop());

describe('a visitor without a session', () => {
  it('signs up by keyboard alone, sees the first key once, and comes to the view that was asked for', async () => {
    const visitor = await Visitor.open(place.browser);
    const { page } = visitor;
    await story(visitor, 'sign-up by keyboard', async () => {
      await page.goto(`${place.system.gateway}/dashboard/keys?from=mail`);
      expect(await visitor.checkAppearance()).toEqual(fineLooks);
      const key = await signUpByKeyboard(place, visitor, 'keyboard@example.com');
      expect(key).toMatch(/^svc_live_/);
      expect(await visitor.checkAppearance()).toEqual(fineLooks);
      await page.getByRole('link', { name: /to the dashboard/ }).click();
      await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
      expect(new URL(page.url()).search).toBe('?from=mail');
      const account = await call(`${place.system.gateway}/v1/account`, {
        headers: { authorization: `Bearer ${key}` },
      });
      expect(account.status).toBe(200);
      await page.goBack();
      expect(await page.content()).not.toContain(key);
      const stored = await page.evaluate<string>(
        'JSON.stringify([localStorage, sessionStorage, document.cookie])',
      );
      expect(stored).not.toContain('svc_live_');
      expect(visitor.complaints).toEqual([]);
    });
  });

  it('who came to read something is led there without a word of keys', async () => {
    const visitor = await Visitor.open(place.browser);
    const { page } = visitor;
    await story(visitor, 'sign-up to read', async () => {
      await page.goto(`${place.system.gateway}/dashboard/read`);
      await enterByKeyboard(place, visitor, 'reader@example.com');
      await page.getByRole('heading', { name: 'Read a transcript' }).waitFor();
    });
  });

  it('can sign in within a second over a slow connection: all that the page needs is small, and named in it', async () => {
    const { page } = await Visitor.open(place.browser);
    const loaded: { path: string; bytes: Promise<number> }[] = [];
    page.on('requestfinished', (request) => {
      const bytes = request.sizes().then((size) => size.responseBodySize + size.responseHeadersSize);
      loaded.push({ path: new URL(request.url()).pathname, bytes });
    });
    const document = await page.goto(`${place.system.gateway}/signin`);
    await page.getByLabel('Email address').waitFor();
    await page.waitForLoadState('networkidle');
    const html = (await document?.text()) ?? '';
    const others = loaded.filter(({ path }) => path !== '/signin').map(({ path }) => path);
    expect(others.length).toBeGreaterThan(1);
    expect(others.filter((path) => !html.includes(`"${path}"`))).toEqual([]);
    const sizes = await Promise.all(loaded.map(({ bytes }) => bytes));
    const all = sizes.reduce((sum, bytes) => sum + bytes, 0);
    expect(ROUND_TRIPS * slow.roundTripSeconds + all / slow.bytesASecond).toBeLessThan(1);
  });

  it('reads why a code is refused, and corrects it', async () => {
    const visitor = await Visitor.open(place.browser);
    const { page } = visitor;
    await story(visitor, 'refused code', async () => {
      await page.goto(`${place.system.gateway}/signin`);
      await page.getByLabel('Email address').fill('slip@example.com');
      await page.keyboard.press('Enter');
      await page.getByLabel('Code of six digits').fill('000000');
      await page.getByRole('checkbox').check();
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').waitFor();
      expect(await page.getByLabel('Code of six digits').inputValue()).toBe('000000');
      expect(await visitor.checkAppearance()).toEqual(fineLooks);
      await page.getByRole('button', { name: 'Send again' }).click();
      await page.getByText('Another code is on its way.').waitFor();
      await awaitMails(place.system.mail.url, 'slip@example.com', 2);
      const code = await readCode(place.system.mail.url, 'slip@example.com');
      await page.getByLabel('Code of six digits').fill(asPasted(code));
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Your first key' }).waitFor();
    });
  });

  it('accepts the terms once, and reads at a later sign-in that they hold', async () => {
    const visitor = await Visitor.open(place.browser);
    const { page } = visitor;
    await story(visitor, 'terms', async () => {
      await page.goto(`${place.system.gateway}/signin`);
      await signUpByKeyboard(place, visitor, 'twice@example.com');
      await page.goto(`${place.system.gateway}/signin`);
      const since = new Date();
      await page.getByLabel('Email address').fill('twice@example.com');
      await page.keyboard.press('Enter');
      await page.getByText('By signing in you accept the terms.').waitFor();
      expect(await page.getByRole('checkbox').isVisible()).toBe(false);
      await page
        .getByLabel('Code of six digits')
        .fill(await readCode(place.system.mail.url, 'twice@example.com', since));
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      await page.getByText('twice@example.com').waitFor();
      await page.goto(place.system.gateway);
      await page.getByRole('banner').getByRole('link', { name: 'Open the dashboard' }).waitFor();
      expect(await page.getByText('Get a key', { exact: true }).count()).toBe(1);
    });
  });

  it.each([
    ...['https://evil.example', '//evil.example', '/dashboard.evil', 'javascript:alert(1)', 'http://'],
    ...['/dashboard/../buy', '/dashboard/%2e%2e/buy', '/dashboard\\..\\buy', '//dashboard/x'],
  ])('is not led to %s after the sign-in', async (to) => {
    const visitor = await Visitor.open(place.browser);
    const { page } = visitor;
    await page.goto(`${place.system.gateway}/signin?to=${encodeURIComponent(to)}`);
    await page.getByLabel('Email address').waitFor();
    expect(await page.locator('[data-go-on]').getAttribute('href')).toBe('/dashboard');
  });
});

describe('the whole dashboard', () => {
  it('loads at most 120 KB of script', async () => {
    const { visitor } = await signedIn(place);
    await goTo(place, visitor, '', 'Overview');
    await visitor.page.waitForLoadState('networkidle');
    expect(visitor.scriptBytes).toBeGreaterThan(10_000);
    expect(visitor.scriptBytes).toBeLessThan(MAX_SCRIPT_BYTES);
  });

  it('is signed out everywhere at once, and leaves nothing to go back to', async () => {
    const { visitor, customer } = await signedIn(place);
    const { page } = visitor;
    await story(visitor, 'sign-out', async () => {
      await goTo(place, visitor, '', 'Overview');
      await page.getByRole('link', { name: 'Settings' }).click();
      await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByLabel('Email address').waitFor();
      const session = await call(`${place.system.gateway}/v1/account`, {
        headers: { cookie: customer.cookie },
      });
      expect(session.status).toBe(401);
      await page.goBack();
      await page.getByLabel('Email address').waitFor();
    });
  });

  it('ends in all tabs with the sign-out in one of them', async () => {
    const guest = await signedIn(place);
    const { visitor } = guest;
    await story(visitor, 'sign-out in all tabs', async () => {
      const other = await otherTab(place, guest);
      const stranger = await signedIn(place);
      for (const tab of [visitor, other, stranger.visitor]) await goTo(place, tab, '/keys', 'Keys');
      await visitor.page.getByRole('button', { name: 'Sign out' }).click();
      await other.page.getByLabel('Email address').waitFor();
      expect(await other.page.content()).not.toContain(guest.customer.email);
      await stranger.visitor.page.getByText(stranger.customer.email).waitFor();
    });
  });

  it('shows the account that has signed in last in all tabs, and acts for that one alone', async () => {
    const guest = await signedIn(place);
    const { visitor } = guest;
    await story(visitor, 'another account', async () => {
      const other = await otherTab(place, guest);
      for (const tab of [visitor, other]) await goTo(place, tab, '/jobs/new', 'New job');
      await visitor.page.getByText(guest.customer.email).waitFor();
      const second = await signIn(place, visitor);
      await goTo(place, other, '/keys', 'Keys');
      await other.page.getByText(second.email).waitFor();
      await visitor.page.getByText(second.email).waitFor();
      expect(await visitor.page.content()).not.toContain(guest.customer.email);
      const key = visitor.page.waitForResponse('**/v1/dashboard/key');
      await visitor.page.getByLabel('Videos').fill('manualEn001');
      await visitor.page.getByRole('button', { name: 'Find the videos' }).click();
      const { secret } = (await (await key).json()).key;
      const account = await call(`${place.system.gateway}/v1/account`, { headers: bearer(secret) });
      expect(account.json()).toMatchObject({ account: { email: second.email } });
    });
  });
});
