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
  /** `taken` once the mail server has the mail; `refused` if it never accepts it for this recipient. Throws if a retry may succeed. */
  send(mail: Mail): Promise<'taken' | 'refused'>;
  close(): void;
};

/** Less in total than the 30 s of a mail task. */
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

/** Mail over SMTP. No content of a mail makes it read files or URLs. */
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
