import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fineLooks, story, type Visitor } from '@tds/browser';
import { channelAt } from '@tds/simulators/platform';
import JSZip from 'jszip';
import { awaitMails, bearer, call, dashboard, fileVideo, postJson, slowVideo } from '#support/testing';
import { goTo, openPlace, otherTab, type Place, signedIn, videoRow } from './dashboard.ts';

/** Then a stream ends, and the browser opens the next one ten seconds later. */
const STREAM_MS = 25_000;
const MARKUP = '<img src=x onerror=alert(1)>';
let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place?.stop());

const bodyOf = async (stream: AsyncIterable<Uint8Array>): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(stream));

describe('a job from a pasted text', () => {
  it('shows its highest cost, runs, names what failed and why, and is taken home as a ZIP', async () => {
    const { visitor, customer } = await signedIn(place);
    const { page } = visitor;
    await story(visitor, 'a job', async () => {
      await goTo(place, visitor, '/jobs', 'Jobs');
      expect(await visitor.checkAppearance()).toEqual(fineLooks);
      await page.getByRole('link', { name: 'New job' }).click();
      const read = fileVideo(11);
      await page.getByLabel('Videos').fill(`${read}\n${fileVideo(12)}\nnoCaptions1\nprivate_001`);
      await page.getByRole('button', { name: 'Find the videos' }).click();
      await page.getByText('3 videos, none of them cached: at most 3 credits.').waitFor();
      await page.getByText('Left out, because no video can be seen there: private_001.').waitFor();
      expect(await visitor.checkAppearance()).toEqual(fineLooks);
      await page.getByLabel('Name of the job').fill(MARKUP);
      await page.getByLabel('Mail', { exact: true }).selectOption('now');
      await page.getByRole('button', { name: 'Start the job' }).dblclick();
      await page.getByRole('heading', { name: MARKUP, level: 1 }).waitFor();
      await page.getByText(/^Ended .* after /).waitFor();
      await page.getByText('3 of 3 done').waitFor();
      const failed = videoRow(page, 'noCaptions1');
      await failed.getByText('no_captions').waitFor();
      expect(await failed.innerText()).toContain('The video has no captions.');
      expect(await visitor.checkAppearance()).toEqual(fineLooks);

      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download the ZIP' }).click();
      const file = await download;
      expect(file.suggestedFilename()).toBe('_img src=x onerror=alert(1)_.zip');
      const { files } = await JSZip.loadAsync(await bodyOf(await file.createReadStream()));
      expect(Object.keys(files).filter((name) => name.endsWith('.md'))).toHaveLength(2);
      await page.getByText('saved and checked').waitFor();
      await page.getByLabel('In parts, for notebooks').check();
      const parts = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download the parts' }).click();
      expect((await parts).suggestedFilename()).toBe('_img src=x onerror=alert(1)_.zip');

      // The code, and the end of the job with a link to it.
      await awaitMails(place.system.mail.url, customer.email, 2);
      const inbox = `${place.system.mail.url}/messages?to=${encodeURIComponent(customer.email)}`;
      const [mail] = (await call(inbox)).json<{ text: string }[]>();
      expect(mail?.text).toContain(`Open the job: ${page.url()}`);
      const jobs = (await customer.get('/v1/jobs')).json<{ total: number }>();
      expect(jobs.total).toBe(1);
      await page.getByLabel('State').selectOption('error');
      await videoRow(page, read).waitFor({ state: 'detached' });
      await page.reload();
      await failed.waitFor();
      expect(await page.getByLabel('State').inputValue()).toBe('error');
      const stored = await page.evaluate<string>('JSON.stringify([localStorage, sessionStorage])');
      expect(stored).not.toContain('svc_live_');

      await page.getByRole('button', { name: 'Delete' }).click();
      expect(await visitor.checkAppearance()).toEqual(fineLooks);
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('No jobs yet.').waitFor();
      expect(visitor.complaints).toEqual([]);
    });
  });

  it('of a channel takes as many videos as the customer wants', async () => {
    const { visitor } = await signedIn(place);
    const { page } = visitor;
    await story(visitor, 'a channel', async () => {
      await goTo(place, visitor, '/jobs/new', 'New job');
      await page.getByLabel('Videos').fill(channelAt(4, 1)?.handle ?? '');
      await page.getByRole('button', { name: 'Find the videos' }).click();
      await page.getByText('Before it starts').waitFor();
      await page.getByLabel('Only the newest').fill('2');
      await page.getByText(/^2 videos, .*at most 2 credits/).waitFor();
      await page.getByRole('button', { name: 'Start the job' }).click();
      await page.getByText('2 of 2 done').waitFor();
    });
  });

  it('that the credits do not cover cannot be started, says so before, and shows what was found', async () => {
    const { visitor } = await signedIn(place);
    const { page } = visitor;
    await story(visitor, 'few credits', async () => {
      await page.route('**/v1/account', async (route) => {
        const body = await (await route.fetch()).json();
        await route.fulfill({ json: { ...body, credits: { ...body.credits, available: 2 } } });
      });
      await goTo(place, visitor, '/jobs/new', 'New job');
      await page.getByLabel('Videos').fill(channelAt(7, 1)?.handle ?? '');
      await page.getByRole('button', { name: 'Find the videos' }).click();
      const start = page.getByRole('button', { name: 'Start the job' });
      await page.getByText(/^It may cost 100 credits, and you have 2 credits\./).waitFor();
      expect(await start.isDisabled()).toBe(true);
      const found = page.getByRole('listitem').filter({ hasText: /\d:\d\d/ });
      expect(await found.count()).toBe(5);
      await page.getByText('and 95 more').waitFor();
      expect(await visitor.checkAppearance()).toEqual(fineLooks);
      await page.getByLabel('Only the newest').fill('2');
      await page.getByText(/^It may cost/).waitFor({ state: 'detached' });
      expect(await start.isDisabled()).toBe(false);
      expect(await found.count()).toBe(2);
    });
  });

  it('that is no source is refused in words, and stays', async () => {
    const { visitor } = await signedIn(place);
    const { page } = visitor;
    await story(visitor, 'no source', async () => {
      await goTo(place, visitor, '/jobs/new', 'New job');
      await page.getByLabel('Videos').fill('nothing to see here');
      await page.getByRole('button', { name: 'Find the videos' }).click();
      expect(await page.getByRole('alert').textContent()).toContain('empty_list');
      expect(await page.getByLabel('Videos').inputValue()).toBe('nothing to see here');
      await page.reload();
      expect(await page.getByLabel('Videos').inputValue()).toBe('nothing to see here');
    });
  });
});

it('at the limit of keys, from two tabs and after reloads, what needs a key is done without one being named', async () => {
  const guest = await signedIn(place);
  const { visitor, customer } = guest;
  const { gateway } = place.system;
  await story(visitor, 'no key is named', async () => {
    const full = await postJson(`${gateway}/v1/keys`, { name: 'Second' }, bearer(customer.key));
    expect(full.status).toBe(201);
    const listed = async () => (await customer.get('/v1/keys')).json<{ keys: object[]; live_keys: number }>();
    const before = await listed();
    const tabs = [visitor, await otherTab(place, guest)];
    await Promise.all(tabs.map((tab) => goTo(place, tab, '/jobs/new', 'New job')));
    const secrets = new Set<string>();
    const look = async ({ page }: Visitor) => {
      await page.getByLabel('Videos').fill('manualEn001');
      const key = page.waitForResponse('**/v1/dashboard/key');
      await page.getByRole('button', { name: 'Find the videos' }).click();
      secrets.add((await (await key).json()).key.secret);
      await page.getByText('Before it starts').waitFor();
      await page.reload();
    };
    for (let reloads = 0; reloads < 3; reloads += 1) await Promise.all(tabs.map(look));
    expect(secrets.size).toBe(1);
    expect((await listed()).live_keys).toBe(before.live_keys);
    expect((await listed()).keys.length).toBe(before.keys.length);
    const rotated = await postJson(`${gateway}/v1/keys/${customer.keyId}/rotate`, {}, dashboard(customer));
    expect(rotated.status).toBe(201);
    await awaitMails(place.system.mail.url, customer.email, 3);
    expect(visitor.complaints).toEqual([]);
  });
});

it('a video that failed for a time is retried in the browser, and only then charged', async () => {
  const { visitor, customer } = await signedIn(place);
  const { page } = visitor;
  await story(visitor, 'retry', async () => {
    const [failing, fine] = [fileVideo(1), fileVideo(2)];
    const { faults } = place.system.simulator;
    const fault = faults.add({ match: { videoId: failing, endpoint: 'timedtext' }, fault: 'empty' });
    const created = await postJson(
      `${place.system.gateway}/v1/jobs`,
      { video_ids: [failing, fine], name: 'Half' },
      bearer(customer.key),
    );
    const { id } = created.json<{ job: { id: string } }>().job;
    await goTo(place, visitor, `/jobs/${id}`, 'Half');
    await page.getByText(/^Ended .* after /).waitFor();
    const row = videoRow(page, failing);
    await row.getByText('po_token_required').waitFor();
    expect(await row.getByRole('cell').last().innerText()).toBe('0');
    faults.remove(fault);
    const retry = page.getByRole('button', { name: 'Retry' });
    await retry.dblclick();
    await row.getByText('Fetched').waitFor();
    expect(await row.getByRole('cell').last().innerText()).toBe('1');
    await page.getByText('Completed').first().waitFor();
    await retry.waitFor({ state: 'detached' });
    expect(await visitor.checkAppearance()).toEqual(fineLooks);
    expect(visitor.complaints).toEqual([]);
  });
});

it('the page of a job that runs has one stream and asks for nothing besides, so it costs what its stream costs', async () => {
  const { visitor, customer } = await signedIn(place);
  const { page } = visitor;
  await story(visitor, 'one stream', async () => {
    const created = await postJson(
      `${place.system.gateway}/v1/jobs`,
      { video_ids: [slowVideo(place.system, 13)], name: 'Long' },
      bearer(customer.key),
    );
    const { id } = created.json<{ job: { id: string } }>().job;
    const openedAt = performance.now();
    await goTo(place, visitor, `/jobs/${id}`, 'Long');
    await page.getByText(/^Live, started/).waitFor();
    await page.getByText('1 of 1 done').waitFor();
    await page.getByText(/^Ended .* after /).waitFor();
    const mostStreams = 1 + (performance.now() - openedAt) / STREAM_MS;
    const counts: Record<string, number> = {};
    for (const request of visitor.requests) {
      const [method, url = ''] = request.split(' ');
      const { pathname } = new URL(url);
      if (pathname.startsWith('/v1/')) {
        const name = `${method} ${pathname}`;
        counts[name] = (counts[name] ?? 0) + 1;
      }
    }
    // What is read, is read when the page opens, when its stream does, and at the end of the job.
    const { [`GET /v1/jobs/${id}/events`]: streams = 0, ...reads } = counts;
    expect(streams).toBeGreaterThan(0);
    expect(streams).toBeLessThanOrEqual(mostStreams);
    for (const [name, count] of Object.entries(reads))
      expect([name, count <= 2 + streams]).toEqual([name, true]);
  });
});

it('a job that runs is cancelled in the browser, and a second tab sees it', async () => {
  const { visitor, customer } = await signedIn(place);
  const { page } = visitor;
  await story(visitor, 'cancel', async () => {
    const videoId = fileVideo(3);
    place.system.simulator.faults.add({ match: { videoId }, fault: 'slow', latencyMs: 8_000 });
    const created = await postJson(
      `${place.system.gateway}/v1/jobs`,
      { video_ids: [videoId], name: 'Slow' },
      bearer(customer.key),
    );
    const { id } = created.json<{ job: { id: string } }>().job;
    await goTo(place, visitor, `/jobs/${id}`, 'Slow');
    await page.getByText(/^Live, started/).waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel the job' }).click();
    await page.getByText('Cancelled').first().waitFor();
    const job = await call(`${place.system.gateway}/v1/jobs/${id}`, { headers: bearer(customer.key) });
    expect(job.json<{ job: { status: string } }>().job.status).toBe('cancelled');
  });
});
