import { freePort } from '@tds/servers';

/** Where the world around a system is for its services. */
export type OutsidePlace = {
  readonly host: string;
  /** This machine, as the services call it. */
  readonly name: string;
  readonly ports: Readonly<Record<'platform' | 'payment' | 'mail' | 'smtp' | 'receiver' | 'gateway', number>>;
};

/** Ports that stay the same from one process of tests to the next. */
export const outsideAt = async (host: string, name: string): Promise<OutsidePlace> => ({
  ...{ host, name },
  ports: {
    platform: await freePort(),
    payment: await freePort(),
    mail: await freePort(),
    smtp: await freePort(),
    receiver: await freePort(),
    gateway: await freePort(),
  },
});

/** Of a system that the customers of many test files reach from one address. */
export const manyCallers = {
  FAILED_CREDENTIALS_PER_MINUTE: '100000',
  PUBLIC_REQUESTS_PER_MINUTE: '100000',
} as const;

/** Its address in the services' settings. */
export const settingsOf = ({ name, ports }: OutsidePlace): Readonly<Record<string, string>> => ({
  PLATFORM_ORIGIN: `http://${name}:${ports.platform}`,
  PLATFORM_DATA_API_ORIGIN: `http://${name}:${ports.platform}`,
  STRIPE_API_ORIGIN: `http://${name}:${ports.payment}`,
  SMTP_URL: `smtp://${name}:${ports.smtp}`,
  PUBLIC_URL: `http://127.0.0.1:${ports.gateway}`,
  ...manyCallers,
  // Tests count the platform's requests: only they send any.
  CANARY_VIDEOS: '',
});
