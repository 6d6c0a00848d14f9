import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { usageLedgerBody, usageRollupsBody } from '@tds/http-api';
import { eventually } from '@tds/test-kit';
import {
  bearer,
  type Customer,
  call,
  creditsCharged,
  dashboard,
  fileVideo,
  postJson,
  shareTestSystem,
  signUp,
  type TestSystem,
} from '#support/testing';

let system: TestSystem;
beforeAll(async () => {
  system = await shareTestSystem();
});
afterAll(() => system?.stop());

type Page = ReturnType<typeof usageLedgerBody.parse>;

const rollupsOf = async (customer: Customer, search = '') =>
  usageRollupsBody.parse((await customer.get(`/v1/usage${search}`)).json()).rows;
const pageOf = async (customer: Customer, search = '') =>
  usageLedgerBody.parse((await customer.get(`/v1/usage?resource=ledger${search}`)).json());
const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
/** Of no other file: an installation that several are run against has one cache. */
const videoId = (index: number) => fileVideo(4_000 + index);
const transcript = (index: number) => `/v1/transcript?video_id=${videoId(index)}`;

describe('a customer audits the books', () => {
  it('finds every request and every credit: headers, rollups, CSV and ledger agree', async () => {
    const customer = await signUp(system);
    const answers = [];
    for (const index of [1, 2, 3, 1, 2, 1]) answers.push(await customer.get(transcript(index)));
    answers.push(await customer.get('/v1/transcript?video_id=noCaptions1'));
    const charged = sum(answers.map(creditsCharged));
    const hits = answers.filter(({ headers }) => headers.get('x-cache') === 'HIT').length;
    expect([charged, hits]).toEqual([3, 3]);

    const rows = await eventually(async () => {
      const found = await rollupsOf(customer);
      expect(sum(found.map(({ requests }) => requests))).toBeGreaterThanOrEqual(answers.length);
      expect(sum(found.map((row) => row.credits_charged))).toBe(charged);
      return found;
    });
    const total = (name: 'cache_hits' | 'cold_deliveries' | 'failures') => sum(rows.map((row) => row[name]));
    expect([total('cold_deliveries'), total('cache_hits'), total('failures')]).toEqual([3, hits, 1]);
    expect(new Set(rows.map(({ key_id }) => key_id))).toEqual(new Set([customer.keyId]));

    const { rows: entries, total: all } = await pageOf(customer);
    expect(entries).toHaveLength(all);
    // One row per delivery, newest first; the failure was held and released, which changed nothing.
    expect(entries.map(({ kind, amount, video_id, language }) => [kind, amount, video_id, language])).toEqual([
      ...[3, 2, 1].map((index) => ['delivery', -1, videoId(index), 'en']),
      ['monthly_grant', 100, null, null],
    ]);
    expect(entries[0]?.balance.after).toBe(100 - charged);
    const deliveries = entries.filter(({ kind }) => kind === 'delivery');
    expect(deliveries.every(({ key_id }) => key_id === customer.keyId)).toBe(true);
    const paid = answers.filter((answer) => creditsCharged(answer) === 1);
    expect(new Set(deliveries.map(({ request_id }) => request_id))).toEqual(
      new Set(paid.map(({ headers }) => headers.get('x-request-id'))),
    );

    const csv = await customer.get('/v1/usage?format=csv');
    expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="usage_.+\.csv"$/);
    const [header = '', ...lines] = csv.text.trimEnd().split('\r\n');
    const credits = header.split(',').indexOf('credits_charged');
    expect(sum(lines.map((line) => Number(line.split(',')[credits])))).toBe(charged);
  });

  it('pages through the ledger by next while it grows, without seeing a row twice or missing one', async () => {
    const customer = await signUp(system);
    const videos = [11, 12, 13, 14];
    for (const index of videos) await customer.get(transcript(index));
    await eventually(async () => expect((await pageOf(customer)).total).toBe(5));
    const seen: (string | null)[] = [];
    let url: string | null = '/v1/usage?resource=ledger&limit=2';
    for (let index = 20; url !== null; index += 1) {
      const page: Page = usageLedgerBody.parse((await customer.get(url)).json());
      seen.push(...page.rows.map(({ video_id }) => video_id));
      await customer.get(transcript(index));
      url = page.next;
    }
    expect(seen).toEqual([...videos.toReversed().map(videoId), null]);
    expect((await pageOf(customer)).total).toBeGreaterThan(5);
  });

  it('reads them in the dashboard too, and sees no other customer`s', async () => {
    const [one, other] = [await signUp(system), await signUp(system)];
    await one.get(transcript(40));
    const read = (search: string) =>
      call(`${system.gateway}/v1/usage${search}`, { headers: { cookie: one.cookie, ...dashboard } });
    await eventually(async () => {
      const page = usageLedgerBody.parse((await read('?resource=ledger')).json());
      expect(page.rows.map(({ kind }) => kind)).toEqual(['delivery', 'monthly_grant']);
    });
    expect((await pageOf(other)).rows.map(({ kind }) => kind)).toEqual(['monthly_grant']);
    for (const resource of ['', '&resource=ledger']) {
      const foreign = await other.get(`/v1/usage?key_id=${one.keyId}${resource}`);
      expect([foreign.status, foreign.json().code]).toEqual([404, 'key_not_found']);
      expect((await other.get(`/v1/usage?key_id=${other.keyId}${resource}`)).status).toBe(200);
    }
  });
});

describe('a key`s daily credit cap', () => {
  it('counts what is delivered, stops cold fetches until 00:00 UTC, and leaves cached reads and other keys alone', async () => {
    const customer = await signUp(system);
    const made = await postJson(
      `${system.gateway}/v1/keys`,
      { name: 'capped', daily_credit_cap: 2 },
      bearer(customer.key),
    );
    const { secret } = made.json<{ key: { secret: string } }>().key;
    const read = (path: string) => call(`${system.gateway}${path}`, { headers: bearer(secret) });
    expect((await read('/v1/transcript?video_id=noCaptions1')).status).toBe(404);
    for (const index of [50, 51]) expect((await read(transcript(index))).status).toBe(200);

    const asked = Date.now();
    const refused = await read(transcript(52));
    const answered = Date.now();
    expect(refused.json()).toMatchObject({
      code: 'daily_credit_cap',
      errorClass: 'QuotaExceeded',
      retryable: false,
    });
    expect([refused.status, creditsCharged(refused)]).toEqual([429, 0]);
    const wait = Number(refused.headers.get('retry-after'));
    const midnight = new Date(asked).setUTCHours(24, 0, 0, 0);
    // In whole seconds, from some moment between the two.
    expect(answered + wait * 1_000).toBeGreaterThanOrEqual(midnight);
    expect(asked + (wait - 1) * 1_000).toBeLessThan(midnight);

    expect((await read(transcript(50))).headers.get('x-cache')).toBe('HIT');
    expect((await customer.get(transcript(52))).status).toBe(200);
  });
});
