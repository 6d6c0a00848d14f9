import type { Installation, OutsidePlace } from '@tds/e2e-support';
import { freePort } from '@tds/servers';

/** A system that was started to be tested. */
export type Installed = { readonly installation: Installation; stop(): Promise<void> };

export type StartOptions = {
  /** Where its secrets and data are while it runs. */
  readonly dir: string;
};

/** What tests of it have in their own process, at ports that stay the same from one test file to the next. */
export const outsideAt = async (host: string, name: string): Promise<OutsidePlace> => ({
  ...{ host, name },
  ports: {
    platform: await freePort(),
    payment: await freePort(),
    mail: await freePort(),
    smtp: await freePort(),
    gateway: await freePort(),
  },
});

/** What services are told of it. */
export const settingsOf = ({ name, ports }: OutsidePlace): Readonly<Record<string, string>> => ({
  PLATFORM_ORIGIN: `http://${name}:${ports.platform}`,
  PLATFORM_DATA_API_ORIGIN: `http://${name}:${ports.platform}`,
  STRIPE_API_ORIGIN: `http://${name}:${ports.payment}`,
  SMTP_URL: `smtp://${name}:${ports.smtp}`,
  PUBLIC_URL: `http://127.0.0.1:${ports.gateway}`,
  FAILED_CREDENTIALS_PER_MINUTE: '100000',
  // Tests count what the platform is asked: nobody else asks it.
  CANARY_VIDEOS: '',
});
