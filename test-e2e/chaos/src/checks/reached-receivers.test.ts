import { describe, expect, it } from '@jest/globals';
import type { ReceivedWebhook } from '@tds/simulators/webhooks';
import type { LoadReceiver } from '../harness.ts';
import { checkReceivers } from './reached-receivers.ts';

const PATH = '/hooks/me/slack/1?script=204';
const mine: LoadReceiver = {
  ...{ id: 'room', accountId: 'me', path: PATH, form: 'slack', events: ['job.completed'], namedOnly: false },
};
const event = { id: 'one', accountId: 'me', name: 'job-completed', receiverIds: [] as string[] };
const delivery = { eventId: 'one', receiverId: 'room', state: 'delivered', body: 'done' };
const came = (body = 'done'): ReceivedWebhook => ({
  ...{ path: PATH, receivedAt: '2026-01-15T12:00:00.000Z', headers: {}, body },
  ...{ deliveryId: 'undefined', event: 'undefined', isVerified: false },
});

type Given = {
  events?: object[];
  deliveries?: object[];
  received?: ReceivedWebhook[];
  receiver?: Partial<LoadReceiver>;
  restoredAt?: number[];
};
const found = async ({
  events = [event],
  deliveries = [delivery],
  received = [came()],
  receiver = {},
  restoredAt,
}: Given) => {
  const stored: Record<string, object[]> = { 'bulk-orchestrator': events, 'webhook-dispatcher': deliveries };
  const findings = await checkReceivers({
    evidence: { rows: async (service: string) => (stored[service] ?? []) as never },
    system: { receiver: { received: () => received } },
    receivers: [{ ...mine, ...receiver }],
    restores: new Map(restoredAt ? [['webhook-dispatcher', restoredAt]] : []),
  });
  return findings.map(({ what, expected }) => [what, expected]);
};
const ofEvent = (expected: string) => ['delivery of job-completed one', expected];

describe('the check of receivers', () => {
  it('finds nothing in an event that came to whom it is for', async () => {
    expect(await found({})).toEqual([]);
    expect(await found({ received: Array.from({ length: 5 }, () => came()) })).toEqual([]);
    const named = { ...event, receiverIds: ['room'] };
    expect(await found({ receiver: { namedOnly: true }, events: [named] })).toEqual([]);
  });

  it('finds an event that did not reach a receiver which chose it', async () => {
    expect(await found({ deliveries: [], received: [] })).toEqual([ofEvent('delivered')]);
    expect(await found({ deliveries: [{ ...delivery, state: 'failed' }] })).toEqual([ofEvent('delivered')]);
  });

  it('finds an event for others: of another kind or account, that names another, or none where a name is wanted', async () => {
    expect(await found({ receiver: { events: ['job.failed'] } })).toEqual([ofEvent('none')]);
    expect(await found({ receiver: { accountId: 'another' } })).toEqual([ofEvent('none')]);
    expect(await found({ receiver: { namedOnly: true } })).toEqual([ofEvent('none')]);
    const named = { ...event, receiverIds: ['another'] };
    expect(await found({ events: [named] })).toEqual([ofEvent('none')]);
  });

  it('finds a message that was never made, that came too often, and one that was taken and never came', async () => {
    const odd = ['times that a message came', '0 at most'];
    expect(await found({ received: [came(), came('another')] })).toEqual([odd]);
    const often = Array.from({ length: 6 }, () => came());
    expect(await found({ received: often })).toEqual([['times that a message came', '5 at most']]);
    expect(await found({ received: often, restoredAt: [9] })).toEqual([]);
    expect(await found({ received: [] })).toEqual([['message of one', 'received']]);
  });
});
