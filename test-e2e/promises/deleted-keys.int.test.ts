import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tierLimits } from '@tds/contracts';
import { eventually } from '@tds/test-kit';
import {
  type Answer,
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

/** Of the simulated channels; no other test lists those from here on. */
const FIRST_UNLISTED = 60;

type Key = { readonly id: string; readonly secret: string };
type Headers = Record<string, string>;
let video = 3_000;
const coldVideo = () => `/v1/transcript?video_id=${fileVideo(video++)}`;
const get = (path: string, key: Key): Promise<Answer> =>
  call(system.gateway + path, { headers: bearer(key.secret) });
const keyIn = (answer: Answer): Key => answer.json<{ key: Key }>().key;
const create = async (headers: Headers, cap: number | null = null): Promise<Key> =>
  keyIn(await postJson(`${system.gateway}/v1/keys`, { name: 'again', daily_credit_cap: cap }, headers));
const remove = async (key: Key, headers: Headers) => {
  const answer = await call(`${system.gateway}/v1/keys/${key.id}`, { method: 'DELETE', headers });
  expect(answer.status).toBe(200);
};
const rotate = async (key: Key, headers: Headers): Promise<Key> =>
  keyIn(await postJson(`${system.gateway}/v1/keys/${key.id}/rotate`, {}, headers));
const firstKey = ({ keyId, key }: Customer): Key => ({ id: keyId, secret: key });

/** Ways to a key that has done nothing yet, in the place of one that has spent its day. */
const ways: Readonly<Record<string, (spent: Key, owner: Customer) => Promise<Key>>> = {
  'deletes and creates one by session': async (spent, owner) => {
    await remove(spent, dashboard(owner));
    return create(dashboard(owner), 3);
  },
  'creates one with the key before deleting it': async (spent) => {
    const made = await create(bearer(spent.secret), 3);
    await remove(spent, bearer(spent.secret));
    return made;
  },
  'rotates it, deletes the successor and creates one': async (spent, owner) => {
    await remove(await rotate(spent, bearer(spent.secret)), dashboard(owner));
    return create(dashboard(owner), 3);
  },
  'creates all that it may have, deletes them, and creates one': async (spent, owner) => {
    const others = await Promise.all([create(dashboard(owner), 3)]);
    for (const key of [...others, spent]) await remove(key, dashboard(owner));
    const [unspent, again] = [await create(dashboard(owner), 3), await create(dashboard(owner), 3)];
    // One of two slots has not been used, and gives no more than its own day.
    for (let turn = 0; turn < 3; turn += 1) await get(coldVideo(), unspent);
    return again;
  },
};

describe('a customer who has spent the day of a key', () => {
  it.each(Object.entries(ways))('gets no credit more who %s', async (_what, way) => {
    const owner = await signUp(system);
    const first = firstKey(owner);
    const capped = await postJson(
      `${system.gateway}/v1/keys/${first.id}`,
      { daily_credit_cap: 3 },
      dashboard(owner),
    );
    expect(capped.status).toBe(200);
    for (let turn = 0; turn < 3; turn += 1) expect(creditsCharged(await get(coldVideo(), first))).toBe(1);
    const next = await way(first, owner);
    await eventually(async () => {
      const refused = await get(coldVideo(), next);
      expect([refused.status, refused.json().code]).toEqual([429, 'daily_credit_cap']);
    });
  });

  it('lists no source more with the next key', async () => {
    const owner = await signUp(system);
    const first = firstKey(owner);
    const list = (index: number, key: Key) =>
      get(`/v1/videos?url=@simulated-${String(index).padStart(2, '0')}`, key);
    const next = FIRST_UNLISTED + tierLimits.free.coldEnumerationsPerDay;
    for (let index = FIRST_UNLISTED; index < next; index += 1)
      expect((await list(index, first)).status).toBeLessThan(300);
    expect((await list(next, first)).json()).toMatchObject({ code: 'enumeration_cap' });
    await remove(first, dashboard(owner));
    expect((await list(next, await create(dashboard(owner)))).json()).toMatchObject({
      code: 'enumeration_cap',
    });
  });
});
