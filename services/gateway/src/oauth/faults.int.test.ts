import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually, startTestRedis } from '@tds/test-kit';
import { authorizeUrl, newProof, readTokens, startWithApps } from '../test-support/apps.ts';
import type { HarnessOptions } from '../test-support/start-gateway.ts';

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (let next = cleanUps.pop(); next; next = cleanUps.pop()) await next();
});
const start = async (options: HarnessOptions = {}) => {
  const apps = await startWithApps(options);
  cleanUps.push(apps.gateway.stop);
  return apps;
};

const isAway = { status: 503, error: 'temporarily_unavailable' };
const readError = async (response: Response) => ({
  status: response.status,
  error: ((await response.json()) as { error: string }).error,
});

describe('the authorization server without the broker', () => {
  it('answers apps that it is away for a while, and goes on with their codes when the broker is back', async () => {
    const apps = await start();
    const { client, grant } = await apps.connect();
    await apps.gateway.nats.kill();
    const [registered, exchanged, asked] = await Promise.all([
      apps.register(),
      apps.exchange(grant),
      apps.newBrowser().open(authorizeUrl(client, newProof().challenge)),
    ]);
    expect([await readError(registered), await readError(exchanged)]).toEqual([isAway, isAway]);
    expect([asked.status, await asked.text()]).toEqual([503, expect.stringContaining('try again in a minute')]);
    const described = await fetch(`${apps.gateway.url}/.well-known/oauth-authorization-server`);
    expect(described.status).toBe(200);
    await apps.gateway.nats.start();
    await eventually(async () => {
      const tokens = await apps.exchange(grant);
      expect([tokens.status, (await readTokens(tokens)).scope]).toEqual([200, 'read fetch']);
    });
  });
});

it('the authorization server connects and refreshes apps without Redis', async () => {
  const redis = await startTestRedis();
  cleanUps.push(redis.stop);
  const apps = await start({ redisUrl: redis.url, environment: { REDIS_WAIT: '100ms' } });
  await redis.kill();
  const { client, grant } = await apps.connect();
  const { refresh_token } = await readTokens(await apps.exchange(grant));
  const refreshed = await apps.exchange({ grant_type: 'refresh_token', client_id: client, refresh_token });
  expect(refreshed.status).toBe(200);
});
