import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import {
  bearer,
  type Customer,
  call,
  dashboard,
  operate,
  shareTestSystem,
  signUp,
  type TestSystem,
} from '#support/testing';
import { connectApp, withNewKey } from './owners.ts';

/** The rows of links in docs/records/19-rights.md, from HTTP on. */

let system: TestSystem;
let owner: Customer;
type Headers = Record<string, string>;
type Link = { id: string; url: string; opens: number };

const VIDEO = 'manualEn001';
const send = (method: string, path: string, headers: Headers, body?: object) =>
  call(system.gateway + path, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
const make = async (headers: Headers) =>
  (await send('POST', '/v1/links', headers, { video_id: VIDEO })).json<{ link: Link; code?: string }>();
/** At this gateway, whatever the address of the service is. */
const read = (url: string) =>
  call(system.gateway + new URL(url).pathname, { headers: { accept: 'text/html' } });
const statusOf = async (url: string) => (await read(url)).status;

beforeAll(async () => {
  system = await shareTestSystem();
  owner = await signUp(system);
  await operate(system, 'set-tier', owner.email, 'paid');
  // A slow machine answers 202 first, and a transcript that others have read is received within seconds.
  await eventually(async () => {
    expect((await owner.get(`/v1/transcript?video_id=${VIDEO}`)).status).toBe(200);
    expect((await owner.get('/v1/library')).json()).toMatchObject({ total: 1 });
  });
});
afterAll(() => system?.stop());

describe('a link', () => {
  it('is made by keys, also capped ones, and by apps that may fetch, and read by anyone', async () => {
    const capped = bearer((await withNewKey(system, owner, 1)).key);
    const reader = bearer((await connectApp(system, owner, ['read'], 5)).token);
    const fetcher = bearer((await connectApp(system, owner, ['read', 'fetch'], 5)).token);
    for (const headers of [bearer(owner.key), capped, fetcher]) {
      const { link } = await make(headers);
      const page = await read(link.url);
      expect([page.status, page.text.includes('leads nowhere')]).toEqual([200, false]);
    }
    expect((await make(reader)).code).toBe('insufficient_scope');
    expect((await make(dashboard(owner))).code).toBe('cookie_not_accepted');
    const { links } = (await send('GET', '/v1/links', reader)).json<{ links: Link[] }>();
    expect(links.map(({ opens }) => opens)).toEqual([1, 1, 1]);
  });

  it('is taken back by a session and an uncapped key, else by who made it alone', async () => {
    const capped = bearer((await withNewKey(system, owner, 1)).key);
    const [ofOwner, ofCapped] = [await make(bearer(owner.key)), await make(capped)];
    const end = (headers: Headers, { link }: { link: Link }) => send('DELETE', `/v1/links/${link.id}`, headers);
    expect((await end(capped, ofOwner)).json()).toMatchObject({ code: 'begun_by_another_key' });
    expect(await statusOf(ofOwner.link.url)).toBe(200);
    expect((await end(capped, ofCapped)).status).toBe(200);
    expect((await end(dashboard(owner), ofOwner)).status).toBe(200);
    for (const { link } of [ofOwner, ofCapped]) expect(await statusOf(link.url)).toBe(404);
  });

  it('ends with a key that is revoked at once, and is one 404 with those of a frozen account', async () => {
    const { key, keyId } = await withNewKey(system, owner);
    const [ofKey, ofOwner] = [await make(bearer(key)), await make(bearer(owner.key))];
    expect((await send('DELETE', `/v1/keys/${keyId}`, dashboard(owner), {})).status).toBe(200);
    await eventually(async () => expect(await statusOf(ofKey.link.url)).toBe(404));
    const page = (await read(ofKey.link.url)).text;
    expect(await statusOf(ofOwner.link.url)).toBe(200);
    await operate(system, 'set-account-status', owner.email, 'frozen');
    await eventually(async () => expect(await statusOf(ofOwner.link.url)).toBe(404));
    expect((await read(ofOwner.link.url)).text).toBe(page);
    await operate(system, 'set-account-status', owner.email, 'active');
    await eventually(async () => expect(await statusOf(ofOwner.link.url)).toBe(200));
  });
});
