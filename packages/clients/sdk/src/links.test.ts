import { expect, it } from '@jest/globals';
import { fakeService, json } from './test-support/fake-service.ts';

it('a link is handed on once, listed, and taken back', async () => {
  const link = { id: 'l/1', url: 'https://a/links/l/x' };
  const answers = [
    json({ ok: true, link }, 201),
    json({ ok: true, links: [link] }),
    json({ ok: true, link }),
    json({ ok: true, link }),
  ];
  const { client, sent } = fakeService(answers);
  expect(await client.links.create({ video_id: 'manualEn001', start: 1, end: 2 })).toEqual(link);
  expect(await client.links.list()).toEqual([link]);
  await client.links.get('l/1');
  expect(await client.links.end('l/1')).toEqual(link);
  expect(sent.map(({ method, url, body }) => [method, url.pathname, body])).toEqual([
    ['POST', '/v1/links', { video_id: 'manualEn001', start: 1, end: 2 }],
    ['GET', '/v1/links', undefined],
    ['GET', '/v1/links/l%2F1', undefined],
    ['DELETE', '/v1/links/l%2F1', undefined],
  ]);
  // A lost answer makes no second one.
  expect(sent[0]?.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/);
});
