import { describe, expect, it } from '@jest/globals';
import type { Evidence } from '@tds/audit';
import type { ReceivedWebhook } from '@tds/webhook-receiver';
import type { CallRecord } from '../history.ts';
import { checkWebhooks } from './received-webhooks.ts';

const came = (given: Partial<ReceivedWebhook> = {}): ReceivedWebhook => ({
  path: '/hooks/me?script=200',
  receivedAt: '2026-01-15T12:00:00.000Z',
  headers: {},
  body: '{}',
  deliveryId: 'one',
  event: 'webhook.test',
  isVerified: true,
  ...given,
});
const evidence = (...ids: string[]) =>
  ({ rows: async () => ids.map((id) => ({ id })) }) as unknown as Evidence;
const lost = { kind: 'webhook', outcome: 'unknown', about: 'me' } as CallRecord;
const found = async (
  received: ReceivedWebhook[],
  ids: string[] = [],
  { calls = [], restoredAt = [] }: { calls?: CallRecord[]; restoredAt?: number[] } = {},
) => {
  const findings = await checkWebhooks({
    evidence: evidence(...ids),
    history: { calls },
    system: { receiver: { received: () => received } },
    restores: new Map([['webhook-dispatcher', restoredAt]]),
  });
  return findings.map(({ what }) => what);
};

describe('the check of received webhooks', () => {
  it('finds nothing in what came as it was taken', async () => {
    expect(await found([came(), came()], ['one'])).toEqual([]);
  });

  it('finds what was taken and never came, what came six times, with another body, and badly signed', async () => {
    expect(await found([], ['one'])).toEqual(['a delivery that was taken']);
    expect(await found(Array.from({ length: 6 }, () => came()))).toEqual(['times that a delivery came']);
    expect(
      await found(
        Array.from({ length: 6 }, () => came()),
        [],
        { restoredAt: [9] },
      ),
    ).toEqual([]);
    expect(await found([came(), came({ body: '{ }' })])).toEqual(['bodies of a delivery']);
    expect(await found([came({ isVerified: false })])).toEqual(['signatures of a delivery']);
  });

  it('says nothing of signatures where nobody was told the secret', async () => {
    expect(await found([came({ isVerified: false })], [], { calls: [lost] })).toEqual([]);
  });
});
