import { baseUrl, loadConfig, reachable, url } from '@tds/base';
import { z } from 'zod';

const fields = z.object({
  NODE_ENV: z.string().optional(),
  PUBLIC_URL: baseUrl('http', 'https').default('http://127.0.0.1:8080'),
  /** `buy_url` of every 402: the page where customers buy credits. */
  BUY_URL: url('http', 'https').optional(),
});

export const environmentSchema = fields.superRefine(reachable('PUBLIC_URL'));

export const readConfig = (environment: NodeJS.ProcessEnv) => {
  const { PUBLIC_URL, BUY_URL } = loadConfig(environmentSchema, environment, { service: 'credits-ledger' });
  return { buyUrl: BUY_URL ?? `${PUBLIC_URL}/buy` };
};

export type Config = ReturnType<typeof readConfig>;
