import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { story, Visitor } from '@tds/browser';
import { eventually } from '@tds/test-kit';
import { bearer, call, fileVideo, postJson } from '#support/testing';
import { openPlace, type Place, signedIn } from './dashboard.ts';

/** Of a browser whose owner reads at 200 %. */
const LETTER_PX = 32;

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place?.stop());

type Made = { readonly job: { id: string; status: string }; readonly monitor: { id: string } };

const expectReadable = async (visitor: Visitor, paths: readonly string[]) => {
  await visitor.holdPhone(LETTER_PX);
  const hidden: string[] = [];
  for (const path of paths) {
    await visitor.page.goto(`${place.system.gateway}${path}`);
    await visitor.page.getByRole('heading', { level: 1 }).first().waitFor();
    await visitor.page.waitForLoadState('networkidle');
    for (const what of await visitor.findHidden()) hidden.push(`${path} ${what}`);
  }
  expect(hidden).toEqual([]);
};

it('with text at 200 % a small phone shows every page of the site, and nothing in it is cut or covered', async () => {
  const { text } = await call(`${place.system.gateway}/llms.txt`);
  const paths = [...text.matchAll(/\]\(http:\/\/[^/)]+(\/[^)]*)\.md\)/g)].map(([, path = '']) =>
    path.replace('/index', '/'),
  );
  expect(paths.length).toBeGreaterThan(15);
  const visitor = await Visitor.open(place.browser);
  await story(visitor, 'large text of the site', () =>
    expectReadable(visitor, [...paths, '/status', '/nothing/here']),
  );
});

it('with text at 200 % a small phone shows every view of the dashboard, and nothing in it is cut or covered', async () => {
  const { visitor, customer } = await signedIn(place);
  await story(visitor, 'large text of the dashboard', async () => {
    const make = async (path: string, body: object) =>
      (await postJson(place.system.gateway + path, body, bearer(customer.key))).json<Made>();
    const videos = {
      video_ids: ['manualEn001', 'noCaptions1', fileVideo(0)],
      name: 'Interviews_of_the_parliament',
    };
    const { job } = await make('/v1/jobs', videos);
    const watch = { channel: '@simulated-03', auto_fetch: true, words: ['wind'] };
    const { monitor } = await make('/v1/monitors', watch);
    await customer.get('/v1/transcript?video_id=chapters_01');
    await eventually(async () =>
      expect((await customer.get(`/v1/jobs/${job.id}`)).json<Made>().job.status).toBe('completed'),
    );
    await eventually(
      async () =>
        expect((await customer.get('/v1/requests')).json<{ total: number }>().total).toBeGreaterThan(0),
      { everyMs: 1_500 },
    );
    const views = [
      ...['', '/read', '/read?video=chapters_01', `/read?video=${fileVideo(1)}`, '/library', '/library?q=the'],
      ...[
        '/jobs',
        '/jobs/new',
        `/jobs/${job.id}`,
        '/monitors',
        '/matches',
        `/monitors/${monitor.id}`,
        '/keys',
        '/connections',
      ],
      ...['/webhooks', '/receivers', '/billing', '/billing/ledger', '/requests', '/settings', '/nothing'],
    ];
    await expectReadable(
      visitor,
      views.map((view) => `/dashboard${view}`),
    );
    const { page } = visitor;
    const header = await page.locator('.app-side').boundingBox();
    expect(header?.height).toBeLessThan(160);
    for (const [view, name] of [
      ['/keys', 'New key'],
      ['/keys', 'Change default'],
      ['/monitors', 'New monitor'],
      ['/read?video=chapters_01', 'Language and download'],
      ['/settings', 'Close the account'],
      ['/billing', 'Menu'],
    ] as const) {
      await page.goto(`${place.system.gateway}/dashboard${view}`);
      await page.getByText(name, { exact: true }).or(page.getByRole('button', { name })).first().click();
      expect([name, await visitor.findHidden()]).toEqual([name, []]);
    }
  });
});
