import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fineLooks, story } from '@tds/browser';
import { withClient } from '@tds/servers';
import { channelAt } from '@tds/simulators/platform';
import { eventually } from '@tds/test-kit';
import { call, dashboard, fifteenMinutesPass, putJson } from '#support/testing';
import { goTo, openPlace, type Place, signedIn, videoRow } from './dashboard.ts';

const SEED = 1;
const channel = channelAt(6, SEED);
let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place?.stop());

/** As often as a free account may ask. */
const gently = { everyMs: 1_500 };

it('a monitor shows what it found, the job that fetched it, why it pauses, and goes on without a revoked key', async () => {
  const { visitor, customer } = await signedIn(place);
  const { page } = visitor;
  await story(visitor, 'a monitor', async () => {
    const url = { url: place.system.receiver.hookUrl };
    const headers = dashboard(customer);
    await putJson(`${place.system.gateway}/v1/webhooks`, url, headers);
    await goTo(place, visitor, '/monitors', 'Monitors');
    await page.getByRole('button', { name: 'New monitor' }).click();
    await page.getByLabel('Channel or playlist').fill('PLaaaaaaaaaaaaaaaa');
    const contents = page.getByLabel('Videos of a channel');
    expect(await contents.count()).toBe(0);
    await page.getByLabel('Channel or playlist').fill(channel?.handle ?? '');
    await contents.selectOption('videos');
    await page.getByLabel('Fetch new transcripts by a job').check();
    await page.getByRole('button', { name: 'Watch it' }).click();
    await page.getByText('It has begun no job yet.').waitFor();
    await page.getByText(', videos of a channel').waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1);

    const title = '<b>Talk</b>';
    const uploaded = place.system.simulator.upload({ to: String(channel?.id), count: 2, title });
    await fifteenMinutesPass(place.system);
    await eventually(async () => {
      const { jobs } = (await customer.get(`/v1/jobs?monitor_id=${id}`)).json<{
        jobs: { status: string }[];
      }>();
      expect(jobs).toMatchObject([{ status: 'completed' }]);
    }, gently);
    await page.reload();
    const found = page.getByRole('region', { name: 'New videos' });
    for (const video of uploaded) {
      const row = videoRow(page, video);
      expect(await row.innerText()).toContain(title);
      await row.getByRole('link', { name: 'Job' }).waitFor();
    }
    const jobs = page.getByRole('region', { name: 'Jobs' });
    await jobs.getByText('2 of 2').waitFor();
    expect(await visitor.checkAppearance()).toEqual(fineLooks);
    await found.getByRole('link', { name: 'Job' }).first().click();
    await page.getByText('2 of 2 done').waitFor();
    await page.getByRole('link', { name: 'a monitor' }).click();
    await page.getByText('Next check').waitFor();

    await call(`${place.system.gateway}/v1/webhooks`, { method: 'DELETE', headers });
    await eventually(async () => {
      const { monitor } = (await customer.get(`/v1/monitors/${id}`)).json<{
        monitor: { pause_reason: string };
      }>();
      expect(monitor.pause_reason).toBe('webhook_missing');
    }, gently);
    await page.reload();
    await page.getByText('Its webhook is gone or disabled. Set the webhook again.').waitFor();

    await withClient(String(place.system.databases['monitor-scheduler']?.adminUrl), (admin) =>
      admin.query('UPDATE monitors SET key_revoked = true'),
    );
    await page.reload();
    const revoked = page.getByText('Its key is revoked, or its app disconnected.');
    await revoked.waitFor();
    expect(await visitor.checkAppearance()).toEqual(fineLooks);
    await page.getByRole('button', { name: 'Resume' }).click();
    await revoked.waitFor({ state: 'detached' });
    expect(visitor.complaints).toEqual([]);
  });
});
