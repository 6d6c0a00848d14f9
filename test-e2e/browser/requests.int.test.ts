import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fineLooks, story } from '@tds/browser';
import { eventually } from '@tds/test-kit';
import { bearer, call, dashboard, fileVideo, postJson } from '#support/testing';
import { goTo, openPlace, type Place, signedIn } from './dashboard.ts';

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place?.stop());

it('the id of an error finds its request, with what went wrong and its video', async () => {
  const { visitor, customer } = await signedIn(place);
  const { page } = visitor;
  await story(visitor, 'find a request', async () => {
    const failed = await customer.get('/v1/transcript?video_id=noCaptions1');
    const { request_id: id } = failed.json<{ request_id: string }>();
    expect((await customer.get('/v1/jobs?limit=0')).status).toBe(400);
    // A video that has not been read: a read from the cache costs nothing and is not logged.
    const unread = fileVideo(1);
    expect((await customer.get(`/v1/transcript?video_id=${unread}`)).status).toBe(200);
    // A free account may ask sixty times a minute.
    await eventually(
      async () => expect((await customer.get('/v1/requests')).json()).toMatchObject({ total: 3 }),
      { everyMs: 1_500 },
    );

    await goTo(place, visitor, '/requests', 'Requests');
    const rows = page.getByRole('rowheader');
    await rows.nth(2).waitFor();
    expect(await visitor.checkAppearance()).toEqual(fineLooks);
    await page.getByText('limit is a whole number from 1 on', { exact: false }).waitFor();
    await page.getByLabel('Result').selectOption('false');
    await rows.nth(1).waitFor({ state: 'detached' });
    await page.getByText('Succeeded', { exact: true }).last().waitFor();

    await page.getByLabel('Id of the request').fill(`  ${id} `);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Get transcript', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'no_captions' }).waitFor();
    await page.getByText('The video has no captions.', { exact: false }).waitFor();
    await page.getByText(id).waitFor();
    expect(await visitor.checkAppearance()).toEqual(fineLooks);
    const video = page.getByRole('link', { name: 'noCaptions1' });
    expect(await video.getAttribute('href')).toBe('/dashboard/read?video=noCaptions1');
    expect(visitor.complaints).toEqual([]);
  });
});

it('an id that the log does not have says so in words', async () => {
  const { visitor } = await signedIn(place);
  const { page } = visitor;
  await story(visitor, 'find no request', async () => {
    await goTo(place, visitor, '/requests', 'Requests');
    await page.getByText('Nothing was charged or failed in seven days.').waitFor();
    await page.getByLabel('Id of the request').fill('no id');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByText('There is no such request in the log.', { exact: false }).waitFor();
    expect(await visitor.checkAppearance()).toEqual(fineLooks);
  });
});

it('a request says what became of its job, and what the dashboard itself was refused is no failure', async () => {
  const { visitor, customer } = await signedIn(place);
  const { page } = visitor;
  const { gateway } = place.system;
  await story(visitor, 'what became of it', async () => {
    const job = { video_ids: ['manualEn001'], name: 'Harbour talks' };
    const { id } = (await postJson(`${gateway}/v1/jobs`, job, bearer(customer.key))).json<{
      job: { id: string };
    }>().job;
    const newKey = (name: string) => postJson(`${gateway}/v1/keys`, { name }, dashboard(customer));
    expect([(await newKey('Second')).status, (await newKey('Third')).status]).toEqual([201, 429]);
    await eventually(
      async () => {
        expect((await customer.get(`/v1/jobs/${id}`)).json()).toMatchObject({ job: { status: 'completed' } });
        expect((await customer.get('/v1/requests')).json()).toMatchObject({ total: 2 });
      },
      { everyMs: 1_500 },
    );
    await goTo(place, visitor, '/requests', 'Requests');
    const began = page.getByRole('row', { name: 'Create job' });
    await began.getByText('Harbour talks').waitFor();
    await began.getByText('Completed').waitFor();
    const refused = page.getByRole('row', { name: 'Create key' });
    await refused.getByText('by The dashboard').waitFor();
    await refused.getByText('Refused').waitFor();
    expect(await page.getByRole('table').getByText('Failed').count()).toBe(0);
    expect(await visitor.checkAppearance()).toEqual(fineLooks);
    await began.getByRole('link').click();
    await page.getByRole('link', { name: 'Harbour talks' }).waitFor();
    expect(visitor.complaints).toEqual([]);
    await call(`${gateway}/v1/jobs/${id}`, { method: 'DELETE', headers: bearer(customer.key) });
    await page.reload();
    await page.getByText('Deleted', { exact: true }).waitFor();
  });
});
