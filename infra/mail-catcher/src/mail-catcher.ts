import { buffer } from 'node:stream/consumers';
import { listen, startLocalServer } from '@tds/local-http';
import { SMTPServer } from 'smtp-server';
import { createMailbox, type Mailbox } from './caught-mail.ts';
import { createMailHttp } from './mail-http.ts';

export interface MailCatcherOptions {
  /** A free port is taken where none is given. */
  readonly smtpPort?: number;
  readonly httpPort?: number;
  /** The address that both listen at; 127.0.0.1, which only this machine reaches, if none is given. */
  readonly host?: string;
  /** A further name that its pages are called by. */
  readonly name?: string | undefined;
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

/** An SMTP server that keeps what it gets, with a page and a JSON list to read it. */
export const startMailCatcher = async ({
  smtpPort = 0,
  httpPort = 0,
  host,
  name,
}: MailCatcherOptions = {}): Promise<MailCatcher> => {
  const mailbox = createMailbox();
  const smtp = createSmtp(mailbox);
  // A client that hangs up in the middle of a mail is the client's business.
  smtp.on('error', () => {});
  const smtpAt = await listen(smtp.server, { port: smtpPort, host });
  const http = await startLocalServer({ port: httpPort, host, name }, createMailHttp(mailbox));
  return {
    smtpUrl: `smtp://127.0.0.1:${smtpAt}`,
    url: `http://127.0.0.1:${http.port}`,
    stop: async () => {
      const closed = new Promise<void>((resolve) => smtp.close(() => resolve()));
      await Promise.all([http.close(), closed]);
    },
  };
};
