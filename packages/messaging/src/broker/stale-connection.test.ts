import { createServer, type Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import { connectBus } from './bus.ts';

/** As much of a broker as greets, answers a ping and ends a connection at its second ping. */
const startBroker = async () => {
  let pings = 0;
  const server = createServer((socket: Socket) => {
    socket.write('INFO {"server_id":"a","version":"2.15.1","max_payload":1048576,"headers":true}\r\n');
    socket.on('data', (data) => {
      if (!data.includes('PING')) return;
      pings += 1;
      if (pings === 2) socket.end("-ERR 'Stale Connection'\r\n");
      else socket.write('PONG\r\n');
    });
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return { url: `127.0.0.1:${port}`, close: () => server.close() };
};

it('a connection that the broker ends as stale is a warning in one line, and comes back', async () => {
  const broker = await startBroker();
  const said: string[] = [];
  const note = (level: string) => (message: string) => void said.push(`${level}: ${message}`);
  const log = { info: note('info'), warn: note('warn'), error: note('error') } as never;
  const back = Promise.withResolvers<void>();
  const bus = await connectBus({ service: 'status', url: broker.url, log, onReconnect: back.resolve });
  await bus.connection.flush().catch(() => {});
  await back.promise;
  await bus.close();
  broker.close();
  expect(said).toEqual([
    'warn: the broker ends a connection that did not answer',
    'warn: the broker is away',
    'warn: reconnected to the broker',
  ]);
});
