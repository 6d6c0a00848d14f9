import { connect, type Socket } from 'node:net';
import { inboxOf, nkeyAuthenticator, OPERATOR } from '@tds/messaging/internals';
import type { HurtSystem } from '#support';
import { redisOf } from './redis-pulse.ts';

/** Just enough of two line protocols to do to a server what no proper client would. */

const WITHIN_MS = 5_000;

const untilSaid = (socket: Socket, wanted: RegExp): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = '';
    const give = (error?: Error) => {
      clearTimeout(timer);
      socket.off('data', onData);
      if (error) reject(error);
      else resolve(said);
    };
    const timer = setTimeout(() => give(new Error(`no ${wanted} within ${WITHIN_MS} ms`)), WITHIN_MS);
    const onData = (data: Buffer) => {
      said += data.toString('latin1');
      if (wanted.test(said)) give();
    };
    socket.on('data', onData);
    socket.once('error', give);
    socket.once('close', () => give(new Error('the server hung up')));
  });

const talk = async (
  { host, port }: { host: string; port: number },
  work: (socket: Socket) => Promise<void>,
): Promise<void> => {
  const socket = connect({ port, host });
  try {
    await work(socket);
  } finally {
    socket.destroy();
  }
};

/** At the operator's address. */
export const flushRedis = (url: string): Promise<void> => {
  const { auth, ...place } = redisOf(url);
  return talk(place, async (socket) => {
    socket.write(`${auth}FLUSHALL\r\n`);
    await untilSaid(socket, /\+OK\r\n\+OK/);
  });
};

/** A broker, and the seed of the operator's user where it knows its users. */
export type Broker = { readonly servers: string; readonly seed?: string };

/** The first one's. */
const placeOf = ({ servers }: Broker) => {
  const { hostname, port } = new URL(`nats://${servers.split(',', 1)}`);
  return { host: hostname, port: Number(port) };
};

export const brokerOf = ({ nats }: Pick<HurtSystem['servers'], 'nats'>): Broker => ({
  servers: nats.servers,
  seed: nats.seedOf(OPERATOR),
});

/** Proves who asks: by signing what the broker greets with. */
const login = (greeting: string, seed: string | undefined): object => {
  if (seed === undefined) return {};
  const { nonce } = JSON.parse(greeting.slice('INFO '.length)) as { nonce: string };
  return { ...nkeyAuthenticator(seed)(nonce) };
};

const connectLine = (greeting: string, { seed }: Broker): string =>
  `CONNECT ${JSON.stringify({ verbose: false, pedantic: false, headers: true, ...login(greeting, seed) })}\r\n`;

const INBOX = `${inboxOf(OPERATOR)}.faults`;

export type RawMessage = { readonly subject: string; readonly id: string; readonly payload: string };

/** The bytes of a message that carries the kit's id, but not the one by which the stream would recognise it. */
const frame = ({ subject, id, payload }: RawMessage): string => {
  const headers = `NATS/1.0\r\nX-Message-Id: ${id}\r\nX-Request-Id: ${id}\r\n\r\n`;
  const sizes = [Buffer.byteLength(headers), Buffer.byteLength(headers) + Buffer.byteLength(payload)];
  return `HPUB ${subject} ${sizes.join(' ')}\r\n${headers}${payload}\r\n`;
};

/** Sends a request on a subject, and resolves to the first answer as it came over the line. */
export const askBroker = async (broker: Broker, subject: string, payload: string): Promise<string> => {
  let answer = '';
  await talk(placeOf(broker), async (socket) => {
    const greeting = await untilSaid(socket, /INFO [^\r]*\r\n/);
    socket.write(`${connectLine(greeting, broker)}SUB ${INBOX} 1\r\n`);
    socket.write(`PUB ${subject} ${INBOX} ${Buffer.byteLength(payload)}\r\n${payload}\r\n`);
    answer = await untilSaid(socket, /H?MSG _INBOX_operator\.faults[^\r]*\r\n[\s\S]*\r\n/);
  });
  return answer;
};

/** The number of the newest message that the stream holds or has held. */
export const lastSequenceOf = async (broker: Broker, stream: string): Promise<number> => {
  const answer = await askBroker(broker, `$JS.API.STREAM.INFO.${stream}`, '');
  return Number(/"last_seq":(\d+)/.exec(answer)?.[1] ?? 0);
};

/** Publishes messages as they come, duplicates and all. */
export const publishRaw = (broker: Broker, messages: readonly RawMessage[]): Promise<void> =>
  talk(placeOf(broker), async (socket) => {
    socket.write(connectLine(await untilSaid(socket, /INFO [^\r]*\r\n/), broker));
    socket.write(messages.map(frame).join(''));
    socket.write('PING\r\n');
    await untilSaid(socket, /PONG/);
  });
