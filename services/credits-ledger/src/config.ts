import { loadConfig, url } from '@tds/base';
import { z } from 'zod';

export const environmentSchema = z.object({
  /** `buy_url` of every 402: the page where customers buy credits. */
  BUY_URL: url('http', 'https').default('http://127.0.0.1:8080/buy'),
});

export const readConfig = (environment: NodeJS.ProcessEnv) => {
  const values = loadConfig(environmentSchema, environment, { service: 'credits-ledger' });
  return { buyUrl: values.BUY_URL };
};

export type Config = ReturnType<typeof readConfig>;
