import { baseUrl, booleanFlag, commaSeparated, keyRing, loadConfig, reachable, wholeNumber } from '@tds/base';
import { z } from 'zod';

/** A name server, as `192.0.2.1`, `192.0.2.1:53` or `[2001:db8::1]:53`. */
const nameServer = z.string().regex(/^(?:\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?|\[[0-9a-f:]+\]:\d{1,5})$/i);

export const environmentSchema = z
  .object({
    NODE_ENV: z.string().optional(),
    PUBLIC_URL: baseUrl('http', 'https').optional(),
    OWN_HOSTS: commaSeparated().default([]),
    WEBHOOK_KEY_RING: keyRing(),
    WEBHOOK_DNS: z.union([z.literal('system'), nameServer]).default('system'),
    WEBHOOK_LOCAL_RECEIVERS: booleanFlag().default(false),
    DELIVERIES_AT_ONCE: wholeNumber({ min: 1, max: 10_000 }).default(1_000),
  })
  .superRefine(reachable('PUBLIC_URL'))
  .refine((values) => !(values.WEBHOOK_LOCAL_RECEIVERS && values.NODE_ENV === 'production'), {
    path: ['WEBHOOK_LOCAL_RECEIVERS'],
    message: 'not allowed in production: it lets webhooks reach this machine',
  });

export const readConfig = (environment: NodeJS.ProcessEnv) => {
  const values = loadConfig(environmentSchema, environment, { service: 'webhook-dispatcher' });
  const publicHost = values.PUBLIC_URL === undefined ? [] : [new URL(values.PUBLIC_URL).hostname];
  return {
    /** Where people reach the dashboard; null if it is not set. */
    publicUrl: values.PUBLIC_URL ?? null,
    keyRing: values.WEBHOOK_KEY_RING,
    /** Our own domains: the dispatcher sends nothing there or to their subdomains. */
    ownHosts: [...publicHost, ...values.OWN_HOSTS].map((host) => host.toLowerCase()),
    dns: values.WEBHOOK_DNS,
    /** Allows plain http to this machine. */
    takesLocalReceivers: values.WEBHOOK_LOCAL_RECEIVERS,
    deliveryConcurrency: values.DELIVERIES_AT_ONCE,
  };
};
