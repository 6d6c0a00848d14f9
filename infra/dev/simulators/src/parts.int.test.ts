import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { afterAll, expect, it } from '@jest/globals';
import { listen } from './http/local-server.ts';
import { loadConfig, type Part, startPart } from './parts.ts';

const started: Part[] = [];
afterAll(() => Promise.all(started.map((part) => part.stop())));

const freePort = async (): Promise<number> => {
  const server = createServer();
  const port = await listen(server, {});
  await once(server.close(), 'close');
  return port;
};

const statusFor = (port: number, host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .once('error', reject)
      .end();
  });

it.each(['platform', 'payments', 'mail', 'webhooks'])(
  'the part %s answers to no name but its own, so that no page on the web reaches it',
  async (name) => {
    const port = await freePort();
    started.push(await startPart(name, loadConfig({ PORT: String(port) })));
    expect(await statusFor(port, 'evil.example')).toBe(403);
    expect(await statusFor(port, `127.0.0.1:${port}`)).not.toBe(403);
  },
);
