import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type Answer, decode, encode } from 'dns-packet';

type Addresses = readonly string[] | 'refused' | 'silent';

/** A minimal name server. Names that were not set have no addresses. */
export const startNameServer = async () => {
  const answersOf = new Map<string, Addresses[]>();
  const aliases = new Map<string, string>();
  const socket = createSocket('udp4');
  /** Gives each answer once and repeats the last one; A and AAAA of one lookup get the same. */
  const next = (name: string, isLast: boolean): Addresses => {
    const answers = answersOf.get(name) ?? [[]];
    return (isLast && answers.length > 1 ? answers.shift() : answers[0]) ?? [];
  };
  const asked = new Map<string, number>();
  socket.on('message', (message, { port, address }) => {
    const { id, questions = [] } = decode(message);
    const { name = '', type } = questions[0] ?? {};
    const turn = (asked.get(name) ?? 0) + 1;
    asked.set(name, turn);
    const answer = next(name, turn % 2 === 0);
    if (answer === 'silent') return;
    const SERVFAIL = 2;
    const matching =
      answer === 'refused' ? [] : answer.filter((one) => one.includes(':') === (type === 'AAAA'));
    const target = aliases.get(name);
    const alias = target === undefined ? [] : [{ type: 'CNAME', name, ttl: 0, data: target } as Answer];
    const addresses = matching.map((data) => ({ type, name: target ?? name, ttl: 0, data }) as Answer);
    const answers = [...alias, ...addresses];
    const flags = answer === 'refused' ? SERVFAIL : 0;
    socket.send(encode({ type: 'response', id, flags, questions, answers }), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    /** One list of addresses for each lookup; the last repeats. */
    setAnswers: (name: string, ...answers: Addresses[]) => void answersOf.set(name, answers),
    /** An alias whose target has this address. */
    alias: (name: string, target: string, address: string) => {
      aliases.set(name, target);
      answersOf.set(name, [[address]]);
    },
    asked: (name: string) => asked.get(name) ?? 0,
    stop: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
};
export type NameServer = Awaited<ReturnType<typeof startNameServer>>;
