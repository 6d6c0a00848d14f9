import { Resolver } from 'node:dns/promises';

/** A caller waits for the answer, so a slow name server counts as none. */
const TIMEOUT_MS = 1_000;

/** `system` asks the machine's name servers, `off` asks none, anything else is the one at this address and port. */
export type MailDns = 'system' | 'off' | (string & {});

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
