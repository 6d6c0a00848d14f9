import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { envelope, errorOfCall, fakeService, json, settle } from './test-support/fake-service.ts';

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] }));
afterEach(() => void jest.useRealTimers());

const failed = json(envelope({ retryable: true }), 502);
const monitor = { id: 'm/1', words: ['crane'] };

describe('a monitor with words', () => {
  it('is changed in what is named, once: a change has no Idempotency-Key', async () => {
    const { client, sent } = fakeService([json({ ok: true, monitor }), failed]);
    expect(await settle(client.monitors.update('m/1', { words: ['crane'], mail: 'daily' }))).toEqual(monitor);
    await errorOfCall(client.monitors.update('m/1', { words: [] }));
    expect(sent.map(({ method, url, body }) => [method, url.pathname, body])).toEqual([
      ['PATCH', '/v1/monitors/m%2F1', { words: ['crane'], mail: 'daily' }],
      ['PATCH', '/v1/monitors/m%2F1', { words: [] }],
    ]);
  });

  it('lists matches page by page', async () => {
    const next = '/v1/monitors/m/matches?limit=1&offset=1';
    const pages = [json({ matches: [{ id: '1' }], next }), json({ matches: [{ id: '2' }], next: null })];
    const { client, sent } = fakeService(pages);
    const found: string[] = [];
    for await (const { id } of client.monitors.matches('m', { limit: 1 })) found.push(id);
    expect(found).toEqual(['1', '2']);
    expect(sent.map(({ url }) => url.search)).toEqual(['?limit=1', '?limit=1&offset=1']);
  });

  it('may be tried before, and again after a failure, because a trial changes nothing', async () => {
    const { client, sent } = fakeService([failed, json({ ok: true, transcripts: 10, matches: [] })]);
    const tried = await settle(client.library.tryWords({ words: ['crane'], channel: '@a' }));
    expect(tried).toMatchObject({ transcripts: 10, matches: [] });
    expect(sent.map(({ url, body }) => [url.pathname, body])).toEqual(
      Array.from({ length: 2 }, () => ['/v1/library/words', { words: ['crane'], channel: '@a' }]),
    );
  });
});
