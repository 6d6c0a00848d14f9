import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { ErrorBody } from '@transcript-delivery/sdk';
import { Refusal } from './send.ts';
import { withKey } from './with-key.ts';

const { fetch } = globalThis;
/** The keys that the session has one after the other. */
const secrets: string[] = [];
let reads = 0;
beforeAll(() => {
  globalThis.fetch = async () => {
    reads += 1;
    const secret = secrets[0];
    return secret === undefined
      ? Response.json({ code: 'session_required', request_id: 'r' }, { status: 401 })
      : Response.json({ ok: true, key: { id: 'k', prefix: 'p', secret } });
  };
});
afterAll(() => {
  globalThis.fetch = fetch;
});
beforeEach(() => {
  reads = 0;
});

const refused = (code: ErrorBody['code']) =>
  new Refusal({ ok: false, code, message: 'm', retryable: false, request_id: 'r' } as ErrorBody);
/** Works with the key that the session has now. */
const work = async (key: string): Promise<string> => {
  if (key !== secrets[0]) throw refused('invalid_api_key');
  return key;
};

it('what is refused for want of a session says so, and is tried again the next time', async () => {
  await expect(withKey(work)).rejects.toMatchObject({ body: { code: 'session_required' } });
  secrets.unshift('one');
  expect(await withKey(work)).toBe('one');
  expect(reads).toBe(2);
});

it('a key is read once for all that is done with it, also at the same time', async () => {
  expect(await Promise.all([withKey(work), withKey(work)])).toEqual(['one', 'one']);
  expect(reads).toBe(0);
});

it('a key that has ended is read anew, once', async () => {
  secrets.unshift('two');
  expect(await withKey(work)).toBe('two');
  expect(reads).toBe(1);
  const always = () => Promise.reject(refused('invalid_api_key'));
  await expect(withKey(always)).rejects.toMatchObject({ body: { code: 'invalid_api_key' } });
  expect(reads).toBe(2);
});

it('another refusal is the answer, and keeps the key', async () => {
  const empty = () => Promise.reject(refused('insufficient_credits'));
  await expect(withKey(empty)).rejects.toMatchObject({ body: { code: 'insufficient_credits' } });
  expect(await withKey(work)).toBe('two');
  expect(reads).toBe(0);
});
