import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { story } from '@tds/browser';
import type { Job } from '@tds/contracts';
import { withClient } from '@tds/servers';
import { eventually } from '@tds/test-kit';
import { Transcripts } from '@transcript-delivery/sdk';
import { bearer, type Customer, fileVideo, operate, postJson, runScript, signUp } from '#support/testing';
import { goTo, openPlace, type Place, signedIn } from './dashboard.ts';
import { cuesOf } from './reading.ts';

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place?.stop());

/** What one customer fetches for its free credits. */
const CREDITS = 100;
const VIDEOS = Array.from({ length: 3 * CREDITS }, (_, n) => n);

/** No limit of new or free accounts stands in its way. */
const asOld = async (customer: Customer): Promise<Customer> => {
  const { system } = place;
  await withClient(String(system.databases.identity?.adminUrl), (admin) =>
    admin.query(`UPDATE accounts SET created_at = now() - interval '30 days' WHERE id = $1`, [
      customer.accountId,
    ]),
  );
  await operate(system, 'set-tier', customer.email, 'paid');
  return customer;
};

const finish = async (customer: Customer, videos: readonly string[]): Promise<void> => {
  const { gateway } = place.system;
  const begun = await postJson(`${gateway}/v1/jobs`, { video_ids: videos }, bearer(customer.key));
  const { id } = begun.json<{ job: Job }>().job;
  await eventually(
    async () => {
      const { job } = (await customer.get(`/v1/jobs/${id}`)).json<{ job: Job }>();
      expect([job.status, job.counts.error]).toEqual(['completed', 0]);
    },
    { everyMs: 500, withinMs: 240_000 },
  );
};

/** Three words in a row that many videos say. */
const commonPhrase = async (customer: Customer, video: string): Promise<string> => {
  const cues = await cuesOf(customer, `video_id=${video}`);
  const [cue = { text: '' }] = cues.slice(1);
  return `"${cue.text
    .replaceAll(/[^\p{L}\s]/gu, ' ')
    .trim()
    .split(/\s+/)
    .slice(0, 3)
    .join(' ')}"`;
};

it('a phrase counted over 300 new transcripts is one number on the page, as CSV, by the command line and by the SDK', async () => {
  const { system } = place;
  const ids = VIDEOS.map(fileVideo);
  const fetchers = await Promise.all([signUp(system), signUp(system), signUp(system)]);
  await Promise.all(
    fetchers.map(async (fetcher, n) => finish(await asOld(fetcher), ids.slice(n * CREDITS, (n + 1) * CREDITS))),
  );
  const phrase = await commonPhrase(fetchers[0], ids[0] ?? '');
  const { customer, visitor } = await signedIn(place);
  const { page } = visitor;
  await story(visitor, 'whole library', async () => {
    // All of them at once: they are cached.
    await finish(await asOld(customer), ids);
    await goTo(place, visitor, `/library?q=${encodeURIComponent(phrase)}`, 'Library');
    const client = new Transcripts({ apiKey: customer.key, baseUrl: system.gateway });
    const bySdk = async () => {
      const pages = client.library.search(phrase);
      const found: string[] = [];
      for await (const { video_id: id, start } of pages) found.push(`${id} ${start}`);
      return { found: new Set(found), all: found.length, last: pages.last };
    };
    const environment = { TRANSCRIPTS_API_KEY: customer.key, TRANSCRIPTS_BASE_URL: system.gateway };
    const byCommandLine = () =>
      runScript(
        'packages/clients/cli/src/main.ts',
        ['library', 'search', phrase, '--json', '--limit', '1000'],
        environment,
      );
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Results as CSV' }).click();
    const [sdk, commandLine, table] = await Promise.all([bySdk(), byCommandLine(), download]);
    const csv = await readFile(await table.path(), 'utf8');
    await page.getByText(/^\d+ passages?\.$/).waitFor();
    const shown = Number.parseInt(await page.getByText(/^\d+ passages?\.$/).innerText(), 10);
    expect(sdk.last).toMatchObject({ is_complete: true, index: { transcripts: 300, indexed: 300 } });
    expect([sdk.all, sdk.found.size]).toEqual([shown, shown]);
    expect((JSON.parse(commandLine) as unknown[]).length).toBe(shown);
    expect(csv).not.toContain('NOT COMPLETE');
    expect(csv.trimEnd().split(/\r\n/).length - 1).toBe(shown);
    expect(visitor.complaints).toEqual([]);
  });
});
