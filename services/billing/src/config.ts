import { baseUrl, commaSeparated, loadConfig, secret, url, wholeNumber } from '@tds/base';
import { CREDIT_BLOCKS, type CreditBlock } from '@tds/contracts';
import { z } from 'zod';

const CHECKOUTS_PER_HOUR = 10;
const MIN_SECRET_LENGTH = 16;

/** `block:amount` of every block, in the smallest unit of the currency. */
const prices = () =>
  commaSeparated().transform((entries, context): ReadonlyMap<CreditBlock, number> => {
    const given = new Map(entries.map((entry) => entry.split(':').map(Number) as [number, number]));
    const areAll = CREDIT_BLOCKS.every(
      (block) => Number.isSafeInteger(given.get(block)) && Number(given.get(block)) > 0,
    );
    if (areAll && given.size === CREDIT_BLOCKS.length) return given as ReadonlyMap<CreditBlock, number>;
    context.addIssue(`expected block:amount for each of ${CREDIT_BLOCKS.join(', ')}, separated by commas`);
    return z.NEVER;
  });

const webhookSecrets = () =>
  commaSeparated()
    .refine(
      (secrets) => secrets.length > 0 && secrets.every(({ length }) => length >= MIN_SECRET_LENGTH),
      `expected secrets of at least ${MIN_SECRET_LENGTH} characters, separated by commas`,
    )
    .pipe(z.array(secret()));

export const environmentSchema = z.object({
  /** Scheme and host of the payment processor's API, or of its simulator. */
  STRIPE_API_ORIGIN: url('http', 'https').default('https://api.stripe.com'),
  STRIPE_SECRET_KEY: secret({ minLength: MIN_SECRET_LENGTH }),
  /** Any of these may sign an event: the new secret and, during a rotation, the old one. */
  STRIPE_WEBHOOK_SECRETS: webhookSecrets(),
  /** Prices of the blocks. The processor must have the same. */
  CREDIT_PRICES: prices().prefault('5:250,20:900,50:2000,200:7000,1000:30000'),
  CREDIT_CURRENCY: z
    .string()
    .regex(/^[a-z]{3}$/)
    .default('usd'),
  /** Pages per hour that one network may open for strangers, and one account for itself. */
  CHECKOUTS_PER_HOUR: wholeNumber({ min: 1, max: 1_000_000 }).default(CHECKOUTS_PER_HOUR),
  /** Buyers return to this address. */
  PUBLIC_URL: baseUrl('http', 'https').default('http://127.0.0.1:8080'),
});

const LIVE_KEY = /^[sr]k_live_/;

export const readConfig = (environment: NodeJS.ProcessEnv) => {
  const given = loadConfig(environmentSchema, environment, { service: 'billing' });
  return {
    apiOrigin: given.STRIPE_API_ORIGIN,
    secretKey: given.STRIPE_SECRET_KEY,
    /** Events of the other mode are rejected. */
    isLive: LIVE_KEY.test(given.STRIPE_SECRET_KEY.reveal()),
    webhookSecrets: given.STRIPE_WEBHOOK_SECRETS,
    prices: given.CREDIT_PRICES,
    currency: given.CREDIT_CURRENCY,
    checkoutsPerHour: given.CHECKOUTS_PER_HOUR,
    publicUrl: given.PUBLIC_URL,
  };
};

export type Config = ReturnType<typeof readConfig>;
