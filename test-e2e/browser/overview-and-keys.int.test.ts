import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fineLooks, story } from '@tds/browser';
import { call, dashboard, fileVideo } from '#support/testing';
import { goTo, openPlace, otherTab, type Place, signedIn } from './dashboard.ts';

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place?.stop());

describe('the overview', () => {
  it('shows credits and use, the plot also as a table, and survives a reload', async () => {
    const guest = await signedIn(place);
    const { visitor, customer } = guest;
    const { page } = visitor;
    await story(visitor, 'overview', async () => {
      await customer.get(`/v1/transcript?video_id=${fileVideo(1)}`);
      await goTo(place, visitor, '', 'Overview');
      await page.getByText('99 free and 0 bought').waitFor();
      await page.getByText('1 charged, 0 cached, 0 failed').waitFor();
      await page.getByText('View as table').click();
      const today = new Date().toISOString().slice(0, 10);
      expect(await page.getByRole('row', { name: today }).innerText()).toMatch(/^\S+\s+1\s+0\s+0$/);
      expect(await visitor.checkAppearance()).toEqual(fineLooks);
      await page.reload();
      await page.getByText('99 free and 0 bought').waitFor();
      // On a phone the views stand in a menu.
      await page.setViewportSize({ width: 390, height: 844 });
      await goTo(place, visitor, '/settings', 'Settings');
      await page.getByRole('button', { name: 'Menu' }).click();
      const link = await page.getByRole('link', { name: 'Settings' }).boundingBox();
      expect((link?.x ?? 0) + (link?.width ?? 0)).toBeLessThanOrEqual(390);
      expect(visitor.complaints).toEqual([]);
    });
  });

  it('goes on without the parts of a service that is down', async () => {
    const { visitor } = await signedIn(place);
    const { page } = visitor;
    await story(visitor, 'a part is down', async () => {
      const body = { ok: false, errorClass: 'UpstreamError', code: 'service_unavailable', message: 'Down.' };
      await page.route('**/v1/usage**', (route) =>
        route.fulfill({
          status: 503,
          json: { ...body, retryable: false, docs_url: '/', request_id: 'request-1' },
        }),
      );
      await goTo(place, visitor, '', 'Overview');
      const alert = page.getByRole('alert');
      await alert.waitFor();
      expect(await alert.textContent()).toContain('service_unavailable');
      expect(await alert.textContent()).toContain('request-1');
      await page.getByText('Available credits').waitFor();
      await page.getByText('No jobs yet.').waitFor();
      await page.unroute('**/v1/usage**');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('First steps').waitFor();
    });
  });
});

describe('the keys', () => {
  const create = async (page: Awaited<ReturnType<typeof signedIn>>['visitor']['page'], name: string) => {
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill(name);
  };

  it('are created with a cap, shown once, changed, rotated and revoked', async () => {
    const { visitor, customer } = await signedIn(place);
    const { page } = visitor;
    await story(visitor, 'keys', async () => {
      await goTo(place, visitor, '/keys', 'Keys');
      await create(page, 'Production');
      await page.getByLabel('Daily cap in credits').fill('7');
      expect(await visitor.checkAppearance()).toEqual(fineLooks);
      // Two presses of a nervous finger.
      await page.getByRole('button', { name: 'Create key' }).dblclick();
      const secret = await page.locator('.secret code').innerText();
      expect(await visitor.checkAppearance()).toEqual(fineLooks);
      await page.getByRole('button', { name: 'I have copied it' }).click();
      await page.getByText('2 of 2 keys').waitFor();
      expect(await page.content()).not.toContain(secret);
      const answer = await call(`${place.system.gateway}/v1/account`, {
        headers: { authorization: `Bearer ${secret}` },
      });
      expect(answer.status).toBe(200);

      await page.getByRole('button', { name: 'Change Production' }).click();
      await page.getByLabel('Daily cap in credits').fill('9');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('cell', { name: '0 of 9', exact: true }).waitFor();

      await page.getByRole('button', { name: 'Rotate Production' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Rotate', exact: true }).click();
      expect(await page.locator('.secret code').innerText()).not.toBe(secret);
      await page.keyboard.press('Escape');
      await page.getByText('Ends soon').waitFor();

      await page.getByRole('button', { name: 'Revoke Production' }).first().click();
      await page.getByRole('button', { name: 'Now' }).click();
      await page.getByText('Revoked').waitFor();
      expect((await customer.get('/v1/account')).status).toBe(200);
      expect(visitor.complaints).toEqual([]);
    });
  });

  it('say what each has used today and this month, and when it was created', async () => {
    const { visitor, customer } = await signedIn(place);
    const { page } = visitor;
    await story(visitor, 'use of keys', async () => {
      await customer.get(`/v1/transcript?video_id=${fileVideo(2)}`);
      await goTo(place, visitor, '/keys', 'Keys');
      const row = page.getByRole('row', { name: 'default' });
      await row.getByText(/, created just now$/).waitFor();
      expect(await row.getByRole('cell', { name: '1', exact: true }).count()).toBe(2);
      expect(await visitor.checkAppearance()).toEqual(fineLooks);
      await goTo(place, visitor, '/settings', 'Settings');
      await page.getByText('Nothing is above half of its limit.').waitFor();
      await page.getByText('All limits').click();
      const limit = page.getByRole('row', { name: /^New transcripts today default/ });
      expect(await limit.innerText()).toMatch(/\s1\s+99\s+100$/);
      expect(await visitor.checkAppearance()).toEqual(fineLooks);
      expect(visitor.complaints).toEqual([]);
    });
  });

  it('beyond the limit are refused with what to do, and the input stays', async () => {
    const { visitor } = await signedIn(place);
    const { page } = visitor;
    await story(visitor, 'key limit', async () => {
      await goTo(place, visitor, '/keys', 'Keys');
      await create(page, 'Second');
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('button', { name: 'I have copied it' }).click();
      await create(page, 'Third');
      await page.getByRole('button', { name: 'Create key' }).click();
      const alert = page.getByRole('alert');
      await alert.waitFor();
      expect(await alert.textContent()).toContain('key_limit');
      expect(await alert.innerText()).not.toContain('Try again');
      expect(await page.getByLabel('Name').inputValue()).toBe('Third');
      expect(await visitor.checkAppearance()).toEqual(fineLooks);
    });
  });

  it('that are created while the network is away are created once when it is back', async () => {
    const { visitor } = await signedIn(place);
    const { page } = visitor;
    await story(visitor, 'offline halfway', async () => {
      await goTo(place, visitor, '/keys', 'Keys');
      await create(page, 'From the train');
      await visitor.context.setOffline(true);
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('alert').waitFor();
      expect(await page.getByLabel('Name').inputValue()).toBe('From the train');
      await visitor.context.setOffline(false);
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('button', { name: 'I have copied it' }).click();
      await page.getByText('2 of 2 keys').waitFor();
      expect(await page.getByRole('rowheader', { name: 'From the train' }).count()).toBe(1);
    });
  });

  it('of a session that ends elsewhere keep what was entered until the sign-in', async () => {
    const guest = await signedIn(place);
    const { visitor, customer } = guest;
    const { page } = visitor;
    await story(visitor, 'ended elsewhere', async () => {
      await goTo(place, visitor, '/keys', 'Keys');
      const second = await otherTab(place, guest);
      await goTo(place, second, '/keys', 'Keys');
      await create(page, 'Half typed');
      const ended = await call(`${place.system.gateway}/v1/auth/logout`, {
        method: 'POST',
        headers: dashboard(customer),
      });
      expect(ended.status).toBe(204);
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('dialog').getByRole('link', { name: 'Sign in in another tab' }).waitFor();
      expect(await page.getByLabel('Name').inputValue()).toBe('Half typed');
      await second.page.reload();
      await second.page.getByLabel('Email address').waitFor();
    });
  });
});
