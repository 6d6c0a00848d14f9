import { Resolver } from 'node:dns/promises';
import { createTransport } from 'nodemailer';
import type { Mail } from '../domain/mail-text.ts';

type OutgoingMail = Mail & {
  readonly to: string;
  /** The same for every attempt at one mail, so that mailboxes can drop a duplicate. */
  readonly id: string;
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

const stopHeaders = (url: string) => ({
  'List-Unsubscribe': { prepared: true, value: `<${url}>` },
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** Mail over SMTP. No content of a mail makes it read files or URLs. */
export const createMailer = ({ smtpUrl, from }: { smtpUrl: string; from: string }) => {
  const transport = createTransport({ url: smtpUrl, ...TIMEOUTS_MS });
  return {
    /** `taken` once the mail server has the mail; `refused` if it never accepts it for this recipient. Throws if a retry may succeed. */
    send: async ({ id, stopUrl, ...mail }: OutgoingMail) => {
      const messageId = `<${id}@${hostOf(from)}>`;
      const restrictions = { disableFileAccess: true, disableUrlAccess: true };
      try {
        const headers = stopUrl === undefined ? {} : stopHeaders(stopUrl);
        await transport.sendMail({ ...mail, ...restrictions, headers, messageId, from });
        return 'taken';
      } catch (error) {
        if (isRefusal(error)) return 'refused';
        throw error;
      }
    },
    close: () => transport.close(),
  };
};
export type Mailer = ReturnType<typeof createMailer>;

/** A caller waits for the answer, so a slow name server counts as none. */
const TIMEOUT_MS = 1_000;

/** `system` asks the machine's name servers, `off` asks none, anything else is the one at this address and port. */
type MailDns = 'system' | 'off' | (string & {});

/** Hosts that accept a domain's mail; empty if there are none or no server answered. Never rejects. */
export type MailExchanges = (domain: string) => Promise<readonly string[]>;

const createResolver = (mailDns: MailDns): Resolver => {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 });
  if (mailDns !== 'system') resolver.setServers([mailDns]);
  return resolver;
};

/** Looks up MX records. An unreachable name server must not prevent sign-ups. */
export const createMailExchanges = (mailDns: MailDns): MailExchanges => {
  if (mailDns === 'off') return async () => [];
  const resolver = createResolver(mailDns);
  return async (domain) => {
    const records = await resolver.resolveMx(domain).catch(() => []);
    return records.map(({ exchange }) => exchange.toLowerCase());
  };
};
