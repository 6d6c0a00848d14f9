import { baseUrl, keyRing, loadConfig, reachable, secret, secretUrl, wholeNumber } from '@tds/base';
import { supportEmail } from '@tds/contracts';
import { z } from 'zod';

const PEPPER_CHARACTERS = 32;
const MAX_SENDER_LENGTH = 320;
const CODES_PER_NETWORK_PER_HOUR = 20;
const ACCOUNTS_PER_MAILBOX = 5;
const ACCOUNTS_PER_DOMAIN = 20;
/** The daily limit of a network is this many times the hourly one by default. */
const HOURS_A_DAY_AT_FULL_RATE = 3;

/** A name server, as `192.0.2.1`, `192.0.2.1:53` or `[2001:db8::1]:53`. */
const nameServer = z.string().regex(/^(?:\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?|\[[0-9a-f:]+\]:\d{1,5})$/i);

const atLeastOne = () => wholeNumber({ min: 1, max: 1_000_000 }).optional();

const secretsSchema = z.object({
  /** The key of all digests and codes. Changing it ends every key and session. */
  PEPPER: secret({ minLength: PEPPER_CHARACTERS }),
  /** Signs projections for gateways, and verifies their proofs of codes. */
  KEY_RING: keyRing(),
});

const fields = secretsSchema.extend({
  NODE_ENV: z.string().optional(),
  SMTP_URL: secretUrl('smtp', 'smtps'),
  MAIL_FROM: z.string().includes('@').max(MAX_SENDER_LENGTH).default('no-reply@localhost'),
  SUPPORT_EMAIL: supportEmail,
  PUBLIC_URL: baseUrl('http', 'https').default('http://127.0.0.1:8080'),
  SIGNUP_PER_NETWORK_PER_HOUR: atLeastOne(),
  SIGNUP_PER_NETWORK_PER_DAY: atLeastOne(),
  ACCOUNTS_PER_MAILBOX: atLeastOne(),
  /** New free accounts of one registered domain in 31 days; mail providers have no limit. */
  ACCOUNTS_PER_DOMAIN: atLeastOne(),
  MAIL_DNS: z.union([z.enum(['system', 'off']), nameServer]).default('system'),
});

export const environmentSchema = fields.superRefine(reachable('MAIL_FROM', 'SUPPORT_EMAIL', 'PUBLIC_URL'));

const service = 'identity';

/** The secrets that operators' commands need. */
export const readSecrets = (environment: NodeJS.ProcessEnv) => {
  const { PEPPER: pepper, KEY_RING: ring } = loadConfig(secretsSchema, environment, { service });
  return { pepper, ring };
};

export const readConfig = (environment: NodeJS.ProcessEnv) => {
  const values = loadConfig(environmentSchema, environment, { service });
  const perHour = values.SIGNUP_PER_NETWORK_PER_HOUR ?? CODES_PER_NETWORK_PER_HOUR;
  return {
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    supportEmail: values.SUPPORT_EMAIL,
    publicUrl: values.PUBLIC_URL,
    mailDns: values.MAIL_DNS,
    networkLimits: {
      perHour,
      perDay: values.SIGNUP_PER_NETWORK_PER_DAY ?? perHour * HOURS_A_DAY_AT_FULL_RATE,
    },
    accountsPerMailbox: values.ACCOUNTS_PER_MAILBOX ?? ACCOUNTS_PER_MAILBOX,
    accountsPerDomain: values.ACCOUNTS_PER_DOMAIN ?? ACCOUNTS_PER_DOMAIN,
  };
};

export type Config = ReturnType<typeof readConfig>;
