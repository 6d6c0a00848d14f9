import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fineLooks, story, Visitor } from '@tds/browser';
import { channelAt } from '@tds/simulators/platform';
import { goTo, openPlace, type Place, signUpByKeyboard } from './dashboard.ts';

const SEED = 1;
const channel = channelAt(5, SEED);
let place: Place;
let newcomer: Visitor;
beforeAll(async () => {
  place = await openPlace();
  newcomer = await Visitor.open(place.browser);
  await newcomer.page.goto(`${place.system.gateway}/signin`);
  await signUpByKeyboard(place, newcomer, 'newcomer@example.com');
});
afterAll(() => place?.stop());

const handle = (): string => channel?.handle ?? '';
const open = (path: string, heading: string) => goTo(place, newcomer, path, heading);

it('a newcomer with only a browser takes a channel home as a ZIP', async () => {
  const { page } = newcomer;
  await story(newcomer, 'newcomer: job', async () => {
    await page.getByRole('link', { name: /to the dashboard/ }).click();
    await page.getByRole('link', { name: 'Start a job' }).click();
    await page.getByLabel('Videos').fill(handle());
    await page.getByRole('button', { name: 'Find the videos' }).click();
    await page.getByLabel('Only the newest').fill('3');
    await page.getByText(/^3 videos, .*at most 3 credits/).waitFor();
    await page.getByRole('button', { name: 'Start the job' }).click();
    await page.getByText('3 of 3 done').waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the ZIP' }).click();
    expect((await download).suggestedFilename()).toMatch(/\.zip$/);
  });
});

it('buys credits, sees them in the ledger, and gives the untouched block back', async () => {
  const { page } = newcomer;
  await story(newcomer, 'newcomer: billing', async () => {
    await open('/billing', 'Billing');
    await page.getByRole('button', { name: /^20 credits/ }).waitFor();
    expect(await newcomer.checkAppearance()).toEqual(fineLooks);
    await page.getByRole('button', { name: /^20 credits/ }).click();
    await page.getByRole('button', { name: /^Pay/ }).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    await expect(
      (async () => {
        for (;;) {
          await open('/billing', 'Billing');
          const shown = await page
            .getByText('Paid', { exact: true })
            .waitFor({ timeout: 5_000 })
            .catch(() => null);
          if (shown !== null) return 'paid';
        }
      })(),
    ).resolves.toBe('paid');
    await page
      .getByRole('row', { name: /^20 credits/ })
      .getByText('20', { exact: true })
      .waitFor();
    expect(await newcomer.checkAppearance()).toEqual(fineLooks);

    await page.getByRole('link', { name: 'Ledger' }).click();
    await page.getByRole('rowheader', { name: 'Credits added: purchase' }).waitFor();
    await page
      .getByRole('link', { name: new RegExp(`^Delivered: \\d videos? of .*${handle()}`) })
      .first()
      .waitFor();
    expect(await newcomer.checkAppearance()).toEqual(fineLooks);
    const csv = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Ledger as CSV' }).click();
    expect((await csv).suggestedFilename()).toBe('ledger.csv');

    await open('/billing', 'Billing');
    await page.getByLabel('Mail below this number of credits').fill('10');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    await page.reload();
    const threshold = page.getByLabel('Mail below this number of credits');
    await threshold.waitFor();
    expect(await threshold.inputValue()).toBe('10');
    await page.getByRole('button', { name: 'Refund' }).click();
    expect(await newcomer.checkAppearance()).toEqual(fineLooks);
    await page.getByRole('dialog').getByRole('button', { name: 'Refund' }).click();
    await page.getByText(/^Refund (pending|succeeded)$/).waitFor();
    const portal = page.waitForURL((address) => address.origin !== place.system.gateway);
    await page.getByRole('button', { name: 'Invoices and cards' }).click();
    await portal;
  });
});

it('sets a webhook, and sees a delivery with its attempt', async () => {
  const { page } = newcomer;
  await story(newcomer, 'newcomer: webhook', async () => {
    await open('/webhooks', 'Webhooks');
    await page.getByLabel('Address of the receiver').fill('https://10.0.0.1/hooks');
    await page.getByRole('button', { name: 'Create the webhook' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('webhook_url_private');
    expect(await page.getByLabel('Address of the receiver').inputValue()).toBe('https://10.0.0.1/hooks');
    await page.getByLabel('Address of the receiver').fill(place.system.receiver.hookUrl);
    await page.getByLabel('Low balance').fill('10');
    await page.getByRole('button', { name: 'Create the webhook' }).click();
    const secret = await page.locator('.secret code').innerText();
    place.system.receiver.addSecret(secret);
    expect(await newcomer.checkAppearance()).toEqual(fineLooks);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByRole('heading', { name: 'webhook.test', level: 1 }).waitFor();
    await page.getByText('Delivered').waitFor();
    expect(await newcomer.checkAppearance()).toEqual(fineLooks);
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Waiting').or(page.getByText('Delivered')).first().waitFor();
    await open('/webhooks', 'Webhooks');
    await page.getByRole('rowheader', { name: 'webhook.test' }).nth(1).waitFor();
    expect(await newcomer.checkAppearance()).toEqual(fineLooks);
  });
});

it('watches a channel, and stops it', async () => {
  const { page } = newcomer;
  await story(newcomer, 'newcomer: monitor', async () => {
    await open('/monitors', 'Monitors');
    await page.getByRole('button', { name: 'New monitor' }).click();
    expect(await newcomer.checkAppearance()).toEqual(fineLooks);
    await page.getByLabel('Channel or playlist').fill(handle());
    expect(await newcomer.checkAppearance()).toEqual(fineLooks);
    await page.getByRole('button', { name: 'Watch it' }).dblclick();
    await page.getByText('None yet.').waitFor();
    expect(await newcomer.checkAppearance()).toEqual(fineLooks);
    await page.getByRole('button', { name: 'End the monitor' }).click();
    await page.getByRole('button', { name: 'End it' }).click();
    await page.getByText('Cancelled').waitFor();
    await open('/monitors', 'Monitors');
    await page.getByRole('rowheader').first().waitFor();
    expect(await page.getByRole('rowheader').count()).toBe(1);
  });
});

it('ends other sessions, chooses a theme and an hour for mails that stay, and closes the account', async () => {
  const { page } = newcomer;
  await story(newcomer, 'newcomer: settings', async () => {
    await open('/settings', 'Settings');
    await page.getByText('This browser').waitFor();
    expect(await newcomer.checkAppearance()).toEqual(fineLooks);
    await page.getByLabel('Hour').selectOption('07:00');
    await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByLabel('Dark').check();
    await page.reload();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    await page.getByLabel('Hour').waitFor();
    expect(await page.getByLabel('Hour').inputValue()).toBe('7');
    expect(await page.getByLabel('Time zone').inputValue()).toBe('Asia/Tokyo');
    await page.getByRole('button', { name: 'Close the account' }).click();
    const close = page.getByRole('dialog').getByRole('button', { name: 'Close the account' });
    expect(await close.isDisabled()).toBe(true);
    await page.getByRole('dialog').getByRole('textbox').fill('newcomer@example.com');
    await close.click();
    await page.getByRole('heading', { name: /Transcripts of/ }).waitFor();
    await page.goto(`${place.system.gateway}/dashboard`);
    await page.getByLabel('Email address').waitFor();
    expect(newcomer.complaints).toEqual([]);
  });
});
