import { z } from 'zod';
import { startMailCatcher } from './mail/index.ts';
import { startPaymentSimulator } from './payment/index.ts';
import { startPlatformSimulator } from './platform/index.ts';
import { startWebhookReceiver } from './webhooks/index.ts';

export type Part = { stop(): Promise<void> };

const schema = z.object({
  HOST: z.string().default('127.0.0.1'),
  /** Of its pages, and of what it simulates. */
  PORT: z.coerce.number().int().min(0).max(65_535).default(0),
  /** The name of its container; it refuses requests for another host. */
  NAME: z.string().optional(),
  SMTP_PORT: z.coerce.number().int().min(0).max(65_535).default(0),
  /** Where people reach the pages of the payment processor, or the receiver of webhooks. */
  PUBLIC_ORIGIN: z.url().optional(),
  /** Whom the payment processor tells what has happened, and what it signs that with. */
  PAYMENT_EVENTS_URL: z.url().optional(),
  PAYMENT_EVENTS_SECRET: z.string().min(16).optional(),
  /** Where it keeps what it knows. */
  PAYMENT_FILE: z.string().optional(),
});
type Config = z.output<typeof schema>;

/** Throws a ZodError that names what is malformed. */
export const loadConfig = (environment: NodeJS.ProcessEnv): Config => schema.parse(environment);

const receiverOf = ({ PAYMENT_EVENTS_URL: url, PAYMENT_EVENTS_SECRET: secret }: Config) =>
  url && secret ? { receiver: { url, secret } } : {};

const parts: Readonly<Record<string, (config: Config) => Promise<Part>>> = {
  platform: async ({ HOST, PORT, NAME }) => {
    const { close } = await startPlatformSimulator({ host: HOST, port: PORT, name: NAME });
    return { stop: close };
  },
  payments: async (config) => {
    const { close } = await startPaymentSimulator({
      host: config.HOST,
      port: config.PORT,
      name: config.NAME,
      ...receiverOf(config),
      ...(config.PUBLIC_ORIGIN ? { publicOrigin: config.PUBLIC_ORIGIN } : {}),
      ...(config.PAYMENT_FILE ? { file: config.PAYMENT_FILE } : {}),
    });
    return { stop: close };
  },
  mail: ({ HOST, PORT, SMTP_PORT }) => startMailCatcher({ host: HOST, httpPort: PORT, smtpPort: SMTP_PORT }),
  webhooks: ({ HOST, PORT, PUBLIC_ORIGIN }) =>
    startWebhookReceiver({ host: HOST, port: PORT, publicOrigin: PUBLIC_ORIGIN }),
};

export const startPart = (name: string, config: Config): Promise<Part> => {
  const start = parts[name];
  if (!start) throw new Error(`There is no part "${name}": ${Object.keys(parts).join(', ')}`);
  return start(config);
};
