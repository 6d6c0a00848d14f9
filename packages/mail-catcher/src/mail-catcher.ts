import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { createMailbox, type Mailbox } from './caught-mail.ts';
import { createMailHttp } from './mail-http.ts';

export interface MailCatcherOptions {
  /** A free port is taken where none is given. */
  readonly smtpPort?: number;
  readonly httpPort?: number;
  /** Where both listen; 127.0.0.1, where only this machine reaches them, where nothing is said. */
  readonly host?: string;
}

export interface MailCatcher {
  /** Where services send mail: `smtp://127.0.0.1:port`. */
  readonly smtpUrl: string;
  /** Where people and programs read it. */
  readonly url: string;
  stop(): Promise<void>;
}

const longestMailBytes = 1024 * 1024;

/** Takes every mail from this machine, and delivers none. */
const createSmtp = (mailbox: Mailbox): SMTPServer =>
  new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: longestMailBytes,
    onData: (stream, { envelope }, done) => {
      const from = envelope.mailFrom ? envelope.mailFrom.address : '';
      const to = envelope.rcptTo.map(({ address }) => address);
      buffer(stream)
        .then(async (raw) => {
          if (stream.sizeExceeded)
            throw Object.assign(new Error('The mail is too large'), { responseCode: 552 });
          await mailbox.add(raw, { from, to });
        })
        .then(() => done(), done);
    },
  });

const listen = async (server: Server, port: number, host: string): Promise<number> => {
  server.listen(port, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

/** An SMTP server that keeps what it gets, with a page and a JSON list to read it. */
export const startMailCatcher = async ({
  smtpPort = 0,
  httpPort = 0,
  host = '127.0.0.1',
}: MailCatcherOptions = {}): Promise<MailCatcher> => {
  const mailbox = createMailbox();
  const smtp = createSmtp(mailbox);
  const http = createMailHttp(mailbox);
  // A client that hangs up in the middle of a mail is the client's business.
  smtp.on('error', () => {});
  const smtpAt = await listen(smtp.server, smtpPort, host);
  const httpAt = await listen(http, httpPort, host);
  return {
    smtpUrl: `smtp://127.0.0.1:${smtpAt}`,
    url: `http://127.0.0.1:${httpAt}`,
    stop: async () => {
      const closed = Promise.all([
        once(http, 'close'),
        new Promise<void>((resolve) => smtp.close(() => resolve())),
      ]);
      http.close();
      http.closeAllConnections();
      await closed;
    },
  };
};
