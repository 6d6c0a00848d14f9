import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import escapeHtml from 'escape-html';
import { SMTPServer } from 'smtp-server';
import {
  type LocalServerOptions,
  listen,
  listPage,
  pageStyle,
  send,
  startLocalServer,
} from '../http/local-server.ts';
import { type CaughtMail, createMailbox, type Mailbox } from './caught-mail.ts';

const article = ({ subject, to, receivedAt, text }: CaughtMail): string => `
<article>
<h2>${escapeHtml(subject || '(no subject)')}</h2>
<p>to ${escapeHtml(to.join(', '))}, <time>${escapeHtml(receivedAt)}</time></p>
<pre>${escapeHtml(text)}</pre>
</article>`;

/** The caught mails for people: as text only, because a mail's own HTML may do anything. */
const mailPage = (mails: readonly CaughtMail[]): string => listPage('Caught mails', '', mails.map(article));

/** `GET /` for people, `GET /messages?to=...` for programs. */
const createMailHttp = (mailbox: Mailbox) => (request: IncomingMessage, response: ServerResponse) => {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const to = url.searchParams.get('to') ?? undefined;
  if (request.method !== 'GET') return send(response, 405, 'text/plain', 'Only GET\n');
  if (url.pathname === '/') return send(response, 200, 'text/html', mailPage(mailbox.list(to)));
  if (url.pathname === '/style.css') return send(response, 200, 'text/css', pageStyle);
  if (url.pathname === '/messages') {
    return send(response, 200, 'application/json', JSON.stringify(mailbox.list(to)));
  }
  return send(response, 404, 'text/plain', 'Not found\n');
};

/** Free ports by default. */
type MailCatcherOptions = Omit<LocalServerOptions, 'port'> & {
  readonly smtpPort?: number;
  readonly httpPort?: number;
};

export interface MailCatcher {
  /** Where services send mail: `smtp://127.0.0.1:port`. */
  readonly smtpUrl: string;
  /** Where people and programs read it. */
  readonly url: string;
  stop(): Promise<void>;
}

const MAX_MAIL_BYTES = 1024 * 1024;

/** Takes every mail from this machine, and delivers none. */
const createSmtp = (mailbox: Mailbox): SMTPServer =>
  new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: MAX_MAIL_BYTES,
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
export const startMailCatcher = async (options: MailCatcherOptions = {}): Promise<MailCatcher> => {
  const { smtpPort = 0, httpPort = 0, ...place } = options;
  const mailbox = createMailbox();
  const smtp = createSmtp(mailbox);
  // A client that hangs up in the middle of a mail is the client's business.
  smtp.on('error', () => {});
  const listenPort = await listen(smtp.server, { ...place, port: smtpPort });
  const http = await startLocalServer({ ...place, port: httpPort }, createMailHttp(mailbox));
  return {
    smtpUrl: `smtp://127.0.0.1:${listenPort}`,
    url: `http://127.0.0.1:${http.port}`,
    stop: async () => {
      const closed = new Promise<void>((resolve) => smtp.close(() => resolve()));
      await Promise.all([http.close(), closed]);
    },
  };
};

type Mail = { readonly text: string; readonly receivedAt: string };

/** The newest sign-in code that was mailed to an address since then; null where none has come yet. `mailbox` is the catcher's own URL. */
export const newestCode = async (
  mailbox: string,
  email: string,
  since = new Date(0),
): Promise<string | null> => {
  const answer = await fetch(`${mailbox}/messages?to=${encodeURIComponent(email)}`);
  const mails = ((await answer.json()) as Mail[]).filter(({ receivedAt }) => new Date(receivedAt) >= since);
  const [newest = null] = mails.flatMap(({ text }) => text.match(/^\d{6}$/m) ?? []);
  return newest;
};
