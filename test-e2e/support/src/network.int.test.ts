import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import { fairWeather, type Network, startNetwork } from './network.ts';

let network: Network;
let echo: Server;
let port: number;
let portOfAnother: number;
const clients: Socket[] = [];
/** What has got through to the server. */
let heard = '';

beforeAll(async () => {
  echo = createServer((socket) => {
    // A reset is what some of these tests are about.
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      heard += bytes.toString();
      socket.write(bytes);
    });
  }).listen(0, '127.0.0.1');
  await once(echo, 'listening');
  network = startNetwork(1);
  const target = (echo.address() as AddressInfo).port;
  port = await network.open('gateway-1', 'nats', target);
  portOfAnother = await network.open('identity-1', 'nats', target);
});
afterEach(() => {
  network.setWeather({ server: 'nats' }, fairWeather);
  for (const client of clients.splice(0)) client.destroy();
});
afterAll(async () => {
  await network.close();
  echo.close();
});

const open = async (at = port) => {
  const socket = connect({ port: at, host: '127.0.0.1' });
  clients.push(socket);
  const seen = { text: '', ended: false };
  socket.on('data', (bytes) => {
    seen.text += bytes.toString();
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    seen.ended = true;
  });
  await once(socket, 'connect');
  const say = async (text: string): Promise<number> => {
    const from = performance.now();
    const wanted = seen.text + text;
    socket.write(text);
    await eventually(() => expect(seen.text).toBe(wanted), { everyMs: 2 });
    return performance.now() - from;
  };
  return { socket, seen, say };
};

describe('the network of a chaos run', () => {
  it('carries everything both ways, in order', async () => {
    const { say } = await open();
    await say('one');
    await say('x'.repeat(3_000_000));
    await say('two');
  });

  it('is slow for as long as requested, for connections that are open', async () => {
    const { say } = await open();
    network.setWeather({ server: 'nats' }, { ...fairWeather, delayMs: 60 });
    await eventually(async () => expect(await say('a')).toBeGreaterThanOrEqual(115));
    network.setWeather({ server: 'nats' }, fairWeather);
    await eventually(async () => expect(await say('b')).toBeLessThan(60));
  });

  it.each([
    ['asks', false],
    ['answers', true],
  ] as const)('holds back %s and delivers them later', async (held, isHeard) => {
    const { socket, seen, say } = await open();
    const another = await open(portOfAnother);
    await say('before');
    network.setWeather({ process: 'gateway-1', server: 'nats' }, { ...fairWeather, held });
    heard = '';
    socket.write('late');
    // Whatever got through would have got through before this.
    await another.say('there and back');
    if (isHeard) await eventually(() => expect(heard).toContain('late'));
    expect([heard.includes('late'), seen.text]).toEqual([isHeard, 'before']);
    network.setWeather({ process: 'gateway-1', server: 'nats' }, fairWeather);
    await eventually(() => expect(seen.text).toBe('beforelate'));
  });

  it('resets the connection instead of carrying what it sends', async () => {
    const { socket, seen } = await open();
    network.setWeather({ server: 'nats' }, { ...fairWeather, resetShare: 1 });
    await eventually(() => {
      socket.write('lost');
      expect(seen.ended).toBe(true);
    });
  });
});
