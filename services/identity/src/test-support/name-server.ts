import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { decode, encode, type MxAnswer } from 'dns-packet';

export type NameServer = {
  /** Address and port. */
  readonly address: string;
  /** Exchanges by domain; other questions stay unanswered. */
  readonly exchanges: Map<string, readonly string[]>;
  /** The domains that were asked about. */
  readonly questions: string[];
  stop(): Promise<void>;
};

/** A minimal name server for MX records. */
export const startNameServer = async (): Promise<NameServer> => {
  const exchanges = new Map<string, readonly string[]>();
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (message, { port, address }) => {
    const { id, questions = [] } = decode(message);
    const name = questions[0]?.name ?? '';
    asked.push(name);
    const hosts = exchanges.get(name);
    if (hosts === undefined) return;
    const answers = hosts.map(
      (exchange): MxAnswer => ({ type: 'MX', name, data: { preference: 10, exchange } }),
    );
    socket.send(encode({ type: 'response', id, questions, answers }), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    exchanges,
    questions: asked,
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  };
};
