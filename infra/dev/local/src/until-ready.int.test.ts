import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { untilAllReady } from './until-ready.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
});

/** A service whose /ready fails by these checks, one after the other, and then succeeds. */
const serviceWith = async (service: string, ...failing: readonly Record<string, string>[]) => {
  const left = [...failing];
  const server = createServer((_request, response) => {
    const checks = left.length > 1 ? left.shift() : left[0];
    response.writeHead(checks ? 503 : 200).end(JSON.stringify({ checks }));
  });
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  const health = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { service, health, recover: () => void left.splice(0) };
};

describe('a start that waits for its services', () => {
  it('says meanwhile which service is late, and why, and ends when all are ready', async () => {
    const slow = await serviceWith('search', { database: 'no answer within 1000 ms', broker: 'ok' });
    const said: string[] = [];
    const onEvent = (line: string) => {
      said.push(line);
      slow.recover();
    };
    await untilAllReady([slow, await serviceWith('status')], { reportEveryMs: 1, onEvent });
    expect(said).toEqual(['search is not ready: database: no answer within 1000 ms']);
  });

  it('names every service that is not ready in the end', async () => {
    const late = await serviceWith('search', { started: 'not yet' });
    const absent = { service: 'billing', health: 'http://127.0.0.1:1' };
    await expect(untilAllReady([late, absent, await serviceWith('status')], { withinMs: 60 })).rejects.toThrow(
      'waited for 0.001 minutes\nsearch is not ready: started: not yet\nbilling is not ready: http://127.0.0.1:1 does not answer',
    );
  });
});
