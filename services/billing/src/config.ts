import { baseUrl, commaSeparated, loadConfig, reachable, secret, url, wholeNumber } from '@tds/base';
import { CREDIT_BLOCKS, type CreditBlock } from '@tds/contracts';
import { z } from 'zod';

const CHECKOUTS_PER_HOUR = 10;
const MIN_SECRET_LENGTH = 16;

/**
 * The least amounts that the payment processor charges, in the smallest unit. It refuses less in other currencies, too, by their
 * exchange rate. Source: docs.stripe.com/currencies.
 */
const minimumCharges: Readonly<Record<string, number>> = {
  ...{ usd: 50, eur: 50, gbp: 30, aud: 50, brl: 50, cad: 50, chf: 50, inr: 50, jpy: 50, nzd: 50, sgd: 50 },
  ...{ aed: 200, bgn: 100, czk: 1_500, dkk: 250, hkd: 400, huf: 17_500, mxn: 1_000, myr: 200, nok: 300 },
  ...{ pln: 200, ron: 200, sek: 300, thb: 1_000 },
};

/** `block:amount` of every block, in the smallest unit of the currency. */
const prices = () =>
  commaSeparated().transform((entries, context): ReadonlyMap<CreditBlock, number> => {
    const amounts = new Map(entries.map((entry) => entry.split(':').map(Number) as [number, number]));
    const areAll = CREDIT_BLOCKS.every(
      (block) => Number.isSafeInteger(amounts.get(block)) && Number(amounts.get(block)) > 0,
    );
    if (areAll && amounts.size === CREDIT_BLOCKS.length) return amounts as ReadonlyMap<CreditBlock, number>;
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

const fields = z.object({
  NODE_ENV: z.string().optional(),
  /** Scheme and host of the payment processor's API, or of its simulator. */
  STRIPE_API_ORIGIN: url('http', 'https').default('https://api.stripe.com'),
  STRIPE_SECRET_KEY: secret({ minLength: MIN_SECRET_LENGTH }),
  /** Any of these may sign an event: the new secret and, during a rotation, the old one. */
  STRIPE_WEBHOOK_SECRETS: webhookSecrets(),
  /** Prices of the blocks; examples, which the operator replaces. The processor must have the same. */
  CREDIT_PRICES: prices().prefault('5:50,20:100,50:150,200:250,1000:500'),
  CREDIT_CURRENCY: z
    .string()
    .regex(/^[a-z]{3}$/)
    .default('usd'),
  /** Pages per hour that one network may open for strangers, and one account for itself. */
  CHECKOUTS_PER_HOUR: wholeNumber({ min: 1, max: 1_000_000 }).default(CHECKOUTS_PER_HOUR),
  /** Buyers return to this address. */
  PUBLIC_URL: baseUrl('http', 'https').default('http://127.0.0.1:8080'),
});

export const environmentSchema = fields
  .superRefine(reachable('PUBLIC_URL'))
  .superRefine(({ CREDIT_PRICES, CREDIT_CURRENCY }, context) => {
    const minimum = minimumCharges[CREDIT_CURRENCY] ?? 0;
    const low = [...CREDIT_PRICES].filter(([, amount]) => amount < minimum).map((price) => price.join(':'));
    if (low.length === 0) return;
    const message = `${low.join(', ')}: the payment processor charges at least ${minimum} ${CREDIT_CURRENCY} (smallest unit)`;
    context.addIssue({ code: 'custom', path: ['CREDIT_PRICES'], message });
  });

const LIVE_KEY = /^[sr]k_live_/;

export const readConfig = (environment: NodeJS.ProcessEnv) => {
  const values = loadConfig(environmentSchema, environment, { service: 'billing' });
  return {
    apiOrigin: values.STRIPE_API_ORIGIN,
    secretKey: values.STRIPE_SECRET_KEY,
    /** Events of the other mode are rejected. */
    isLive: LIVE_KEY.test(values.STRIPE_SECRET_KEY.reveal()),
    webhookSecrets: values.STRIPE_WEBHOOK_SECRETS,
    prices: values.CREDIT_PRICES,
    currency: values.CREDIT_CURRENCY,
    checkoutsPerHour: values.CHECKOUTS_PER_HOUR,
    publicUrl: values.PUBLIC_URL,
  };
};

export type Config = ReturnType<typeof readConfig>;
