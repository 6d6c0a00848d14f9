import { describe, expect, it } from '@jest/globals';
import type { Evidence } from '@tds/audit';
import type { ReceivedWebhook } from '@tds/simulators/webhooks';
import type { CallRecord } from '../history.ts';
import { checkWebhooks } from './received-webhooks.ts';

const came = (given: Partial<ReceivedWebhook> = {}): ReceivedWebhook => ({
  path: '/hooks/me?script=200',
  receivedAt: '2026-01-15T12:00:00.000Z',
  headers: { 'x-service-delivery': 'one' },
  body: '{}',
  deliveryId: 'one',
  event: 'webhook.test',
  isVerified: true,
  ...given,
});
const rows = async (ids: readonly string[], sql: string, times: readonly string[]) =>
  sql.includes('attempt_log') ? [{ id: 'one', times }] : ids.map((id) => ({ id }));
const lost = { kind: 'webhook', outcome: 'unknown', about: 'me' } as CallRecord;
const found = async (
  received: ReceivedWebhook[],
  ids: string[] = [],
  {
    calls = [],
    restoredAt,
    times = ['2026-01-15T11:59:59.500Z'],
  }: { calls?: CallRecord[]; restoredAt?: number[]; times?: string[] } = {},
) => {
  const findings = await checkWebhooks({
    evidence: {
      rows: (_service: string, sql: string) => rows(ids, sql, times),
    } as unknown as Evidence,
    history: { calls },
    system: { receiver: { received: () => received } },
    restores: new Map(restoredAt ? [['webhook-dispatcher', restoredAt]] : []),
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

  it('finds an attempt that is logged later than its request came', async () => {
    const times = ['2026-01-15T12:00:28.000Z'];
    expect(await found([came()], ['one'], { times })).toEqual(['the time of an attempt']);
    expect(await found([came()], ['one'], { times, restoredAt: [9] })).toEqual([]);
  });

  it('does not check signatures if no caller received the secret', async () => {
    expect(await found([came({ isVerified: false })], [], { calls: [lost] })).toEqual([]);
  });
});
