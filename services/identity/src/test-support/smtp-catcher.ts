import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

export type CaughtMail = { readonly to: string; readonly raw: string };

export type SmtpCatcher = {
  readonly url: string;
  readonly mails: readonly CaughtMail[];
  /** The reply to the next recipients; 250 accepts them. */
  recipientAnswer: string;
  stop(): Promise<void>;
};

const takeMail = async (socket: Socket, catcher: { recipientAnswer: string; mails: CaughtMail[] }) => {
  const send = (line: string) => socket.write(`${line}\r\n`);
  let to = '';
  let body: string[] | undefined;
  send('220 catcher');
  for await (const line of createInterface({ input: socket })) {
    if (body && line === '.') {
      catcher.mails.push({ to, raw: body.join('\n') });
      body = undefined;
      send('250 taken');
    } else if (body) body.push(line.replace(/^\.\./, '.'));
    else if (/^DATA/i.test(line)) {
      body = [];
      send('354 go on');
    } else if (/^RCPT TO/i.test(line)) {
      to = /<([^>]*)>/.exec(line)?.[1] ?? '';
      send(catcher.recipientAnswer);
    } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n');
    else send('250 fine');
  }
};

/** A minimal mail server for nodemailer that keeps all mails. */
export const startSmtpCatcher = async (): Promise<SmtpCatcher> => {
  const state = { recipientAnswer: '250 fine', mails: [] as CaughtMail[] };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // Clients may hang up at any time.
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    void takeMail(socket, state).catch(() => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(state, {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  });
};

/** The six digits of a mail's text part. */
export const codeIn = ({ raw }: CaughtMail): string => {
  const code = /^\d{6}$/m.exec(raw)?.[0];
  if (code === undefined) throw new Error('the mail has no code on a line of its own');
  return code;
};
