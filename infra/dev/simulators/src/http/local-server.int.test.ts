import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LocalServer, startLocalServer } from './local-server.ts';

describe('a local server', () => {
  let server: LocalServer;
  beforeAll(async () => {
    server = await startLocalServer({ name: 'mail-catcher' }, (_, response) => response.end('mail'));
  });
  afterAll(() => server.close());

  const statusFor = (headers: Record<string, string>): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const options = { port: server.port, host: '127.0.0.1', method: 'POST', headers };
      request(options, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .once('error', reject)
        .end();
    });

  it.each(['127.0.0.1', 'localhost:8025', '192.0.2.7:8025', '[::1]:8025', 'mail-catcher:1025'])(
    'answers to %s',
    async (host) => expect(await statusFor({ host })).toBe(200),
  );

  it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:8025', 'payment-simulator', '@'])(
    'refuses requests for the host %s, which a foreign page may have given its address',
    async (host) => expect(await statusFor({ host })).toBe(403),
  );

  it('refuses what the page of another site sends, and takes what its own pages send', async () => {
    const host = '127.0.0.1:8025';
    const from = (origin: string) => statusFor({ host, origin });
    expect(await Promise.all(['http://evil.example', 'null', 'http://127.0.0.1:1'].map(from))).toEqual([
      403, 403, 403,
    ]);
    expect(await from(`http://${host}`)).toBe(200);
  });

  it('says which port it could not have', async () => {
    await expect(startLocalServer({ port: server.port }, () => {})).rejects.toThrow(`${server.port}`);
  });
});
