import { describe, expect, it } from '@jest/globals';
import { readConfig as read } from './config.ts';

const REPLAY_SECRET = 'x'.repeat(32);
const KEY_RING = `a:${'x'.repeat(32)}`;
const readConfig = (environment: NodeJS.ProcessEnv) =>
  read({ REPLAY_SECRET, KEY_RING, WEBHOOK_KEY_RING: KEY_RING, ...environment });

describe('the configuration', () => {
  it('listens on loopback port 8080 by default', () => {
    expect(readConfig({})).toEqual({
      port: 8080,
      host: '127.0.0.1',
      publicUrl: 'http://127.0.0.1:8080',
      supportEmail: 'support@service.localhost',
      player: 'https://www.youtube-nocookie.com',
      exampleVideo: 'dQw4w9WgXcQ',
      redisWaitMs: 50,
      streamLifeMs: 25_000,
      drainMs: 1_000,
      builtDir: undefined,
      cookieSecure: false,
      trustedProxies: [],
      failedCredentialsPerMinute: 30,
      publicRequestsPerMinute: 120,
      maxConnections: 10_000,
      replaySecret: expect.anything(),
      keyRing: expect.anything(),
      webhookKeyRing: expect.anything(),
      logLevel: 'info',
    });
  });

  it.each([
    ['https://api.example', undefined, true],
    ['http://api.example', undefined, true],
    ['http://localhost:8080', undefined, false],
    ['http://[::1]:8080', undefined, false],
    ['http://localhost:8080', 'true', true],
    ['https://localhost', undefined, true],
    ['https://api.example', 'false', false],
  ])('at %s with COOKIE_SECURE=%s, the cookie is Secure: %s', (PUBLIC_URL, COOKIE_SECURE, secure) => {
    expect(readConfig({ PUBLIC_URL, COOKIE_SECURE }).cookieSecure).toBe(secure);
  });

  it.each([undefined, 'x'.repeat(31)])('rejects %s as the secret of repeats', (secret) => {
    expect(() => read({ REPLAY_SECRET: secret, KEY_RING })).toThrow('REPLAY_SECRET');
  });

  it.each([undefined, 'x'.repeat(32)])('rejects %s as the key ring', (KEY_RING) => {
    expect(() => read({ REPLAY_SECRET, KEY_RING })).toThrow('KEY_RING');
  });

  it.each(['0.0.0.0/0', '10.0.0.0/7', '::/0', '::/8', '::ffff:10.0.0.1', '10.0.0.0/8/8', '10.0.0.0/'])(
    'rejects %s, which trusts all callers, or another range than it says',
    (text) => {
      expect(() => readConfig({ TRUSTED_PROXIES: `192.0.2.1,${text}` })).toThrow('TRUSTED_PROXIES');
    },
  );

  it.each(['proxy.example', '10.0.0.0/33', '10.0.0.0/x', '::1/129', '1.2.3'])(
    'rejects %s as a trusted proxy',
    (text) => {
      expect(() => readConfig({ TRUSTED_PROXIES: text })).toThrow('TRUSTED_PROXIES');
    },
  );

  it('accepts addresses and ranges of both families as trusted proxies', () => {
    expect(readConfig({ TRUSTED_PROXIES: '10.0.0.0/8, ::1,fd00::/8,192.0.2.7' }).trustedProxies).toEqual([
      '10.0.0.0/8',
      '::1',
      'fd00::/8',
      '192.0.2.7',
    ]);
  });
});
