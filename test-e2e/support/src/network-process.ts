import { connect, createServer, type Server, type Socket } from 'node:net';
import type { FromNetwork, ToNetwork, Weather } from './network.ts';
import { createRandom } from './random.ts';

/** Carries every byte between services and servers, in a process of its own: a busy harness is no slow network. */

const random = createRandom(Number(process.argv[2]));

type Link = {
  weather: Weather;
  /** Moves on what lies in the pipes. */
  readonly pumps: Set<() => void>;
};
const links = new Map<string, Link>();
const servers: Server[] = [];

type Direction = 'asks' | 'answers';

/** One direction of one connection: bytes, and then their end, leave in order when the weather lets them. */
const carry = (link: Link, direction: Direction, from: Socket, to: Socket): void => {
  const queue: { readonly dueAt: number; readonly bytes: Buffer | null }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const pump = (): void => {
    clearTimeout(timer);
    if (link.weather.held === direction) return;
    for (let next = queue[0]; next; next = queue[0]) {
      const earlyMs = next.dueAt - performance.now();
      if (earlyMs > 0) {
        timer = setTimeout(pump, earlyMs);
        return;
      }
      queue.shift();
      if (next.bytes === null) to.end();
      else if (!to.write(next.bytes)) from.pause();
    }
  };
  const take = (bytes: Buffer | null): void => {
    const last = queue.at(-1)?.dueAt ?? 0;
    queue.push({ dueAt: Math.max(last, performance.now() + link.weather.delayMs), bytes });
    pump();
  };
  link.pumps.add(pump);
  from.on('data', (bytes: Buffer) => {
    if (direction === 'answers' || random.next() >= link.weather.resetShare) return take(bytes);
    from.resetAndDestroy();
    to.resetAndDestroy();
  });
  from.on('end', () => take(null));
  to.on('drain', () => from.resume());
  from.on('close', () => {
    link.pumps.delete(pump);
    clearTimeout(timer);
    // What ended in order has been carried to its end by then.
    if (!from.readableEnded) to.resetAndDestroy();
  });
  from.on('error', () => to.resetAndDestroy());
};

const openLink = (name: string, port: number): void => {
  const link: Link = { weather: { delayMs: 0, resetShare: 0, held: null }, pumps: new Set() };
  links.set(name, link);
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const target = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    carry(link, 'asks', client, target);
    carry(link, 'answers', target, client);
  });
  servers.push(server);
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (typeof address === 'object' && address) send({ opened: name, port: address.port });
  });
};

const send = (message: FromNetwork): void => void process.send?.(message);

process.on('disconnect', () => process.exit());
process.on('message', (message: ToNetwork) => {
  if ('open' in message) return openLink(message.open, message.port);
  for (const name of message.links) {
    const link = links.get(name);
    if (!link) continue;
    link.weather = message.weather;
    for (const pump of link.pumps) pump();
  }
});
