import { createTransport } from 'nodemailer';

export type Mail = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The same for every attempt at one mail, so that mailboxes can drop a duplicate. */
  readonly id: string;
};

export type Mailer = {
  /**
   * `taken` once the mail server has the mail; `refused` if it never will for this recipient. Throws if the next
   * attempt may succeed.
   */
  send(mail: Mail): Promise<'taken' | 'refused'>;
  close(): void;
};

/** Together below the 30 s that a mail task may take. */
const TIMEOUTS_MS = {
  connectionTimeout: 8_000,
  greetingTimeout: 8_000,
  socketTimeout: 12_000,
  dnsTimeout: 5_000,
};

/** The host of `me@example.com` or `Me <me@example.com>`. */
const hostOf = (from: string): string => /@([^\s@>]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';

const PERMANENT = 500;

/** The server's permanent refusal of the recipient, in nodemailer's form. */
const isRefusal = (error: unknown): boolean => {
  const { command, responseCode } = (error ?? {}) as { command?: string; responseCode?: number };
  return command === 'RCPT TO' && (responseCode ?? 0) >= PERMANENT;
};

/** Mail over SMTP. Nothing is read from files or fetched by URL, whatever a mail says. */
export const createMailer = ({ smtpUrl, from }: { smtpUrl: string; from: string }): Mailer => {
  const transport = createTransport({ url: smtpUrl, ...TIMEOUTS_MS });
  return {
    send: async ({ id, ...mail }) => {
      const messageId = `<${id}@${hostOf(from)}>`;
      const closed = { disableFileAccess: true, disableUrlAccess: true };
      try {
        await transport.sendMail({ ...mail, ...closed, messageId, from });
        return 'taken';
      } catch (error) {
        if (isRefusal(error)) return 'refused';
        throw error;
      }
    },
    close: () => transport.close(),
  };
};
