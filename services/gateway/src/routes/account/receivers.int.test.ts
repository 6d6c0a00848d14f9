import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keyRing } from '@tds/base';
import { WEBHOOK_SECRETS } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { KEY_RING } from '@tds/test-kit';
import request from 'supertest';
import { startTestGateway, type TestGateway } from '../../test-support/start-gateway.ts';
import { newDelivery } from '../../test-support/webhooks.ts';

const url = 'https://hooks.slack.com/services/T0/B0/a-secret-token';
const cipher = keyRing().parse(KEY_RING).cipher(WEBHOOK_SECRETS);
let harness: TestGateway;
let account: Awaited<ReturnType<TestGateway['addAccount']>>;
beforeAll(async () => {
  harness = await startTestGateway();
  account = await harness.addAccount();
});
afterAll(() => harness?.stop());
beforeEach(() => {
  harness.webhooks.asked.length = 0;
});

const asked = () => harness.webhooks.asked as { name: string; request: Record<string, unknown> }[];
const send = (method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: object) => {
  const sent = request(harness.url)[method](`/v1/receivers${path}`).set(account.bearer);
  return body ? sent.send(body) : sent;
};
const good = { name: 'Newsroom', form: 'slack', url, events: ['monitor.words_found'] };

describe('a receiver', () => {
  it('of a chat leaves the gateway with its address encrypted for its account, and has no secret of ours', async () => {
    const { status, body } = await send('post', '', good);
    expect([status, body.receiver.form]).toEqual([201, 'slack']);
    expect(body).not.toHaveProperty('receiver_secret');
    const sent = asked()[0]?.request ?? {};
    expect(JSON.stringify(sent)).not.toContain('a-secret-token');
    expect(cipher.decrypt(String(sent.sealedUrl), account.principal.accountId)).toBe(url);
    expect(sent).toMatchObject({ keyId: account.principal.keyId, name: 'Newsroom', form: 'slack' });
  });

  it('that signs is answered with the secret that was encrypted, at first and at each rotation', async () => {
    const made = await send('post', '', { ...good, form: 'signed' });
    expect(made.body.receiver_secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const path = `/${randomUUID()}`;
    const rotated = await send('patch', path, { rotate_secret: true });
    expect([rotated.status, typeof rotated.body.receiver_secret]).toEqual([200, 'string']);
    const secrets = asked().map(({ request: sent }) =>
      cipher.decrypt(String(sent.sealedSecret), account.principal.accountId),
    );
    expect(secrets).toEqual([made.body.receiver_secret, rotated.body.receiver_secret]);
    const renamed = await send('patch', path, { name: 'Other' });
    expect(renamed.body).not.toHaveProperty('receiver_secret');
    expect(asked().at(-1)?.request).toMatchObject({ name: 'Other', rotateSecret: false });
    expect(asked().at(-1)?.request).not.toHaveProperty('sealedUrl');
  });

  it('is listed, read, tested, replayed and deleted', async () => {
    const path = `/${randomUUID()}`;
    const since = '2026-01-15T12:00:00.000Z';
    const answers = [
      await send('get', ''),
      await send('get', path),
      await send('post', `${path}/test`),
      await send('post', `${path}/replay`, { since }),
      await send('delete', path),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 202, 202, 200]);
    expect(answers[3]?.body).toEqual({ ok: true, replayed: 1, is_complete: true });
    expect(answers[4]?.body).toEqual({ ok: true, deleted: true });
    expect(asked().map(({ request: sent }) => sent.receiverId ?? null)).toEqual([
      null,
      ...Array(4).fill(path.slice(1)),
    ]);
  });

  it.each([
    [{ ...good, name: '' }, 'invalid_receiver_name'],
    [{ ...good, name: '\u202e' }, 'invalid_receiver_name'],
    [{ ...good, name: 'x'.repeat(61) }, 'invalid_receiver_name'],
    [{ ...good, form: 'mail' }, 'invalid_receiver_form'],
    [{ ...good, events: [] }, 'invalid_receiver_events'],
    [{ ...good, events: ['webhook.test'] }, 'invalid_receiver_events'],
    [{ ...good, events: ['job.failed', 'job.failed'] }, 'invalid_receiver_events'],
    [{ ...good, url: '' }, 'webhook_url_invalid'],
    [{ ...good, url: `https://a.example/${'x'.repeat(2_048)}` }, 'webhook_url_invalid'],
    [{ ...good, secret: 'x' }, 'unknown_parameter'],
  ])('is not created by %j: %s', async (body, code) => {
    const answer = await send('post', '', body);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect(asked()).toEqual([]);
  });

  it.each([
    [{}, 'empty_receiver_update'],
    [{ form: 'teams' }, 'unknown_parameter'],
    [{ rotate_secret: 'yes' }, 'invalid_rotate_secret'],
    [{ events: ['everything'] }, 'invalid_receiver_events'],
  ])('is not changed by %j: %s', async (body, code) => {
    const answer = await send('patch', `/${randomUUID()}`, body);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect(asked()).toEqual([]);
  });

  it.each([{}, { since: 'yesterday' }, { since: '2026-01-15' }, { since: 5 }])(
    'is not replayed since %j',
    async (body) => {
      const answer = await send('post', `/${randomUUID()}/replay`, body);
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_replay_since']);
    },
  );

  it.each([
    ['receiver_limit', 409],
    ['webhook_url_private', 400],
    ['webhook_dns_failed', 502],
    ['webhook_test_cap', 429],
  ] as const)('says %s of its service', async (code, status) => {
    const { createReceiver } = harness.webhooks.commands;
    harness.webhooks.commands.createReceiver = async () => {
      throw serviceError(code, { retryAfterSeconds: 5 });
    };
    const answer = await send('post', '', good);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    harness.webhooks.commands.createReceiver = createReceiver;
  });

  it('is a filter of deliveries', async () => {
    const receiverId = randomUUID();
    harness.webhooks.commands.listDeliveries = async () => ({
      deliveries: [newDelivery({ receiver_id: receiverId })],
      total: 1,
    });
    const list = (id: string) =>
      request(harness.url).get(`/v1/webhooks/deliveries?receiver_id=${id}`).set(account.bearer);
    expect((await list(receiverId)).body.deliveries).toMatchObject([{ receiver_id: receiverId }]);
    expect(asked().at(-1)).toMatchObject({ request: { receiverId } });
    expect((await list('x')).body.code).toBe('invalid_receiver_id');
  });
});
