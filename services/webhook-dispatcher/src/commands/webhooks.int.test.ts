import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { identity, webhookDispatcher } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { codeOf, eventually } from '@tds/test-kit';
import { type NameServer, startNameServer } from '../test-support/name-server.ts';
import {
  PUBLIC_URL,
  sealedSecret,
  startDispatcher,
  type TestDispatcher,
} from '../test-support/start-dispatcher.ts';

const PUBLIC = '93.184.215.14';
let names: NameServer;
let service: TestDispatcher;
beforeAll(async () => {
  names = await startNameServer();
  names.setAnswers('good.example', [PUBLIC]);
  names.setAnswers('other.example', [PUBLIC]);
  names.setAnswers('private.example', ['10.0.0.1']);
  names.setAnswers('failing.example', 'refused');
  service = await startDispatcher({ WEBHOOK_DNS: names.address });
});
afterAll(async () => {
  await service.stop();
  await names.stop();
});

const url = 'https://good.example/hook';
const get = async (accountId: string) =>
  (await service.call(webhookDispatcher.getWebhook, { accountId }, testContext())).webhook;
const remove = (accountId: string) =>
  service.call(webhookDispatcher.deleteWebhook, { accountId, keyId: null }, testContext());
const check = (accountId: string, asked: string) =>
  codeOf(service.call(webhookDispatcher.checkWebhookUrl, { accountId, url: asked }, testContext()));
const listSecrets = (accountId: string) =>
  service.query<{ sealed: string }>('SELECT sealed FROM secrets WHERE account_id = $1 ORDER BY created_at', [
    accountId,
  ]);

describe('the webhook of an account', () => {
  it('takes a new secret at first and at each rotation only', async () => {
    const accountId = randomUUID();
    const first = await service.put(accountId, { url, lowBalanceThreshold: 10 });
    expect(first).toMatchObject({
      isSecretTaken: true,
      webhook: { url, low_balance_threshold: 10, enabled: true },
    });
    const second = await service.put(accountId, { url: 'https://other.example/' });
    expect(second).toMatchObject({ isSecretTaken: false, webhook: { low_balance_threshold: null } });
    expect(second.webhook.created_at).toBe(first.webhook.created_at);
    expect(await service.put(accountId, { url, rotateSecret: true })).toMatchObject({ isSecretTaken: true });
    expect(await listSecrets(accountId)).toHaveLength(2);
  });

  it('can be deleted twice, and starts with a new secret', async () => {
    const accountId = randomUUID();
    await service.put(accountId, { url });
    expect(await remove(accountId)).toEqual({ isDeleted: true });
    expect(await remove(accountId)).toEqual({ isDeleted: false });
    expect(await get(accountId)).toBeNull();
    expect(await service.put(accountId, { url })).toMatchObject({ isSecretTaken: true });
  });

  it('gets one secret if two requests create it concurrently', async () => {
    const accountId = randomUUID();
    const taken = await Promise.all(Array.from({ length: 8 }, () => service.put(accountId, { url })));
    expect(taken.filter(({ isSecretTaken }) => isSecretTaken)).toHaveLength(1);
    expect(await listSecrets(accountId)).toHaveLength(1);
  });

  it.each([
    ['http://good.example/', 'webhook_url_invalid'],
    ['https://u:p@good.example/', 'webhook_url_invalid'],
    ['https://good.example:22/', 'webhook_url_invalid'],
    ['https://[fd00::1]/', 'webhook_url_private'],
    ['https://169.254.169.254/', 'webhook_url_private'],
    ['https://private.example/', 'webhook_url_private'],
    [`${PUBLIC_URL}/hook`, 'webhook_url_private'],
    ['https://nohost.example/', 'webhook_dns_empty'],
    ['https://failing.example/', 'webhook_dns_failed'],
  ])('is refused at %s with %s, and nothing is stored', async (asked, code) => {
    const accountId = randomUUID();
    expect(await codeOf(service.put(accountId, { url: asked }))).toBe(code);
    expect(await get(accountId)).toBeNull();
    expect(await listSecrets(accountId)).toEqual([]);
  });

  it('rejects a secret that it cannot open', async () => {
    const accountId = randomUUID();
    const { sealedSecret: ofAnother } = sealedSecret(randomUUID());
    expect(await codeOf(service.put(accountId, { url, sealedSecret: ofAnother }))).toBe('service_unavailable');
    expect(await get(accountId)).toBeNull();
  });

  it('emits its changes in order', async () => {
    const accountId = randomUUID();
    await service.put(accountId, { url, lowBalanceThreshold: 3 });
    await service.put(accountId, { url, lowBalanceThreshold: 4 });
    await remove(accountId);
    const changes = await eventually(() => {
      const mine = <T extends { accountId: string }>(all: T[]) =>
        all.filter((one) => one.accountId === accountId);
      const configured = mine(service.caller.received(webhookDispatcher.webhookConfigured));
      const removed = mine(service.caller.received(webhookDispatcher.webhookRemoved));
      if (configured.length < 2 || removed.length < 1) throw new Error('not emitted yet');
      return [...configured, ...removed].sort((one, other) => one.version - other.version);
    });
    expect(changes.map((one) => ('lowBalanceThreshold' in one ? one.lowBalanceThreshold : 'removed'))).toEqual([
      3,
      4,
      'removed',
    ]);
    expect(new Set(changes.map(({ version }) => version)).size).toBe(3);
  });

  it('is deleted with its account', async () => {
    const accountId = randomUUID();
    await service.put(accountId, { url });
    await service.people.emit(identity.accountStatusChanged, { accountId, status: 'closed', version: 1 });
    await eventually(async () => {
      if (await get(accountId)) throw new Error('still there');
    });
  });
});

describe('the URL of a job or a monitor', () => {
  it('needs an enabled webhook of the account', async () => {
    const accountId = randomUUID();
    expect(await check(accountId, url)).toBe('webhook_not_configured');
    await service.put(accountId, { url });
    expect(await check(accountId, 'https://other.example/x')).toBe('answered');
    await service.query(
      `UPDATE webhooks SET enabled = false, disabled_reason = 'failing', disabled_at = now() WHERE account_id = $1`,
      [accountId],
    );
    expect(await check(accountId, url)).toBe('webhook_not_configured');
  });

  it.each([
    ['nonsense', 'invalid_webhook_url'],
    ['http://good.example/', 'invalid_webhook_url'],
    ['https://127.0.0.2.example/', 'webhook_dns_empty'],
    ['https://192.168.0.1/', 'webhook_url_private'],
    ['https://private.example/', 'webhook_url_private'],
    ['https://failing.example/', 'webhook_dns_failed'],
  ])('is checked like that of the account: %s is %s', async (asked, code) => {
    const accountId = randomUUID();
    await service.put(accountId, { url });
    expect(await check(accountId, asked)).toBe(code);
  });
});
