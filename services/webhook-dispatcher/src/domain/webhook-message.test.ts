import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { WebhookKind } from '@tds/contracts';
import { toSigningKeys, webhookHeaders } from './webhook-message.ts';

type Vector = { readonly secret: string; readonly body: string; readonly headers: Record<string, string> };

const file = path.join(import.meta.dirname, '../../../../packages/web/site/content/webhook-vectors.json');
const vectors = JSON.parse(readFileSync(file, 'utf8')) as readonly Vector[];
const [first] = vectors as readonly [Vector, ...Vector[]];

const signed = ({ secret, body, headers }: Vector) =>
  webhookHeaders({
    deliveryId: headers['x-service-delivery'] ?? '',
    kind: headers['x-service-event'] as WebhookKind,
    at: new Date(Number(headers['x-service-timestamp']) * 1_000 + 999),
    keys: toSigningKeys(secret),
    body,
  });

describe('the headers of a delivery', () => {
  it.each(vectors.map((vector, index) => [index, vector] as const))(
    'are those of test vector %i',
    (_index, vector) => {
      expect(signed(vector)).toMatchObject(vector.headers);
    },
  );

  it('have the specified form', () => {
    const headers = signed(first);
    expect(headers['x-service-signature']).toMatch(/^v1=[0-9a-f]{64}$/);
    expect(headers['x-service-timestamp']).toMatch(/^\d{10}$/);
  });

  it.each([
    ['another byte of the body', { body: `${first.body} ` }],
    ['another secret', { secret: 'whsec_AAAA' }],
    ['another second', { headers: { ...first.headers, 'x-service-timestamp': '1768478499' } }],
  ])('differ with %s', (_what, change) => {
    const other = signed({ ...first, ...change });
    for (const name of ['x-service-signature', 'webhook-signature'])
      expect(other[name]).not.toBe(first.headers[name]);
  });
});
