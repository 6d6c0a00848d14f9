import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Transcripts } from '@transcript-delivery/sdk';
import { connect, disconnect, isConnected, type KeptSecrets, readEvent } from './account-webhook.ts';

const URL_OF_N8N = 'https://n8n.test/webhook/1';
const ONE_DAY_MS = 86_400_000;

/** An account with at most one webhook. */
const account = (first: string | null = null) => {
  const state = { url: first, secrets: 0, threshold: null as number | null };
  const fetch = async (_input: unknown, { method = 'GET', body }: RequestInit = {}) => {
    const webhook = () => (state.url === null ? null : { url: state.url, enabled: true });
    if (method === 'DELETE') state.url = null;
    if (method !== 'PUT') return Response.json({ webhook: webhook(), deleted: true });
    const { url, low_balance_threshold: threshold, rotate_secret: rotate } = JSON.parse(String(body));
    if (rotate || state.url === null) state.secrets += 1;
    Object.assign(state, { url, threshold });
    return Response.json({ webhook: webhook(), ...(rotate && { webhook_secret: `whsec_${state.secrets}` }) });
  };
  const client = new Transcripts({ apiKey: 'svc_live_test', baseUrl: 'https://api.test', fetch });
  return { client, state };
};

const connection = { url: URL_OF_N8N, lowBalanceThreshold: null, replace: false };

const signed = (secret: string, body: string, now: number) => {
  const timestamp = String(Math.floor(now / 1_000));
  const mac = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  const headers = { 'x-service-timestamp': timestamp, 'x-service-signature': `v1=${mac}` };
  return { body: Buffer.from(body), headers };
};

describe('an active workflow', () => {
  it('sets the webhook of an account that has none, and keeps its secret', async () => {
    const { client, state } = account();
    const kept: KeptSecrets = {};
    expect(await isConnected(client, URL_OF_N8N, kept)).toBe(false);
    await connect(client, { ...connection, lowBalanceThreshold: 50 }, kept);
    expect(state).toMatchObject({ url: URL_OF_N8N, threshold: 50 });
    expect(kept).toEqual({ secret: 'whsec_1' });
    expect(await isConnected(client, URL_OF_N8N, kept)).toBe(true);
  });

  it('takes no events away from another receiver, unless that is wanted', async () => {
    const { client, state } = account('https://shop.test/hooks');
    const kept: KeptSecrets = {};
    await expect(connect(client, connection, kept)).rejects.toThrow(
      'The account has one webhook, which is at shop.test',
    );
    expect(state.url).toBe('https://shop.test/hooks');
    await connect(client, { ...connection, replace: true }, kept);
    expect(state.url).toBe(URL_OF_N8N);
    expect(kept.secret).toBe('whsec_1');
  });

  it('gets a new secret if n8n has lost the old one', async () => {
    const { client } = account(URL_OF_N8N);
    expect(await isConnected(client, URL_OF_N8N, {})).toBe(false);
    const kept: KeptSecrets = {};
    await connect(client, connection, kept);
    expect(kept.secret).toBe('whsec_1');
  });

  it('deletes its webhook at the end, and never that of another receiver', async () => {
    const { client, state } = account();
    const kept: KeptSecrets = {};
    await connect(client, connection, kept);
    state.url = 'https://shop.test/hooks';
    await disconnect(client, URL_OF_N8N, kept);
    expect(state.url).toBe('https://shop.test/hooks');
    state.url = URL_OF_N8N;
    await disconnect(client, URL_OF_N8N, kept);
    expect(state.url).toBeNull();
  });
});

describe('a request', () => {
  const now = Date.parse('2026-11-27T10:00:00Z');
  const body = '{"id":"event-1","type":"job.completed"}';

  it('is an event if the kept secret has signed it', async () => {
    const event = await readEvent(signed('whsec_1', body, now), { secret: 'whsec_1' }, now);
    expect(event).toMatchObject({ id: 'event-1', type: 'job.completed' });
  });

  it.each([
    ['was signed with another secret', signed('whsec_forged', body, now)],
    ['was changed', { ...signed('whsec_1', body, now), body: Buffer.from(`${body} `) }],
    ['is not signed', { body: Buffer.from(body), headers: {} }],
    ['is a replay', signed('whsec_1', body, now - 600_000)],
  ])('is refused if it %s', async (_what, request) => {
    await expect(readEvent(request, { secret: 'whsec_1' }, now)).rejects.toMatchObject({
      name: 'WebhookVerificationError',
    });
  });

  it('is refused if no secret is kept, so that nobody can sign with nothing', async () => {
    await expect(readEvent(signed('', body, now), {}, now)).rejects.toThrow('There is no secret');
  });

  it('that was under way when n8n restarted is taken for a day', async () => {
    const { client } = account();
    const kept: KeptSecrets = {};
    await connect(client, connection, kept, now);
    await disconnect(client, URL_OF_N8N, kept, now);
    await connect(client, connection, kept, now);
    expect(kept).toMatchObject({ secret: 'whsec_2', previousSecret: 'whsec_1' });
    await readEvent(signed('whsec_1', body, now), kept, now);
    const later = now + ONE_DAY_MS;
    await expect(readEvent(signed('whsec_1', body, later), kept, later)).rejects.toThrow('another one');
  });
});
