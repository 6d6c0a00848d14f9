import { type MailCatcher, startMailCatcher } from '@tds/local';
import { type PaymentSimulator, startPaymentSimulator } from '@tds/payment-simulator';
import { type PlatformSimulator, startPlatformSimulator } from '@tds/platform-simulator';
import { freePort } from '@tds/servers';

/** Where it is for the services, if they are not on this machine; any free ports of loopback where nothing is said. */
export type OutsidePlace = {
  readonly host: string;
  /** This machine, as the services call it. */
  readonly name: string;
  readonly ports: Readonly<Record<'platform' | 'payment' | 'mail' | 'smtp' | 'gateway', number>>;
};

/** What a system has around it, and where people reach it. */
export type Outside = {
  readonly simulator: PlatformSimulator;
  readonly payment: PaymentSimulator;
  readonly mail: MailCatcher;
  readonly gateway: string;
  /** As the services' environments are told. */
  readonly addresses: { port: number; platformOrigin: string; smtpUrl: string; paymentOrigin: string };
  stop(): Promise<void>;
};

const anywhere = async (): Promise<OutsidePlace> => ({
  host: '127.0.0.1',
  name: '127.0.0.1',
  ports: { platform: 0, payment: 0, mail: 0, smtp: 0, gateway: await freePort() },
});

/** An address of this machine, by the name that others have for it. */
const calledBy = (name: string, address: string): string => {
  const url = new URL(address);
  url.hostname = name;
  return url.origin === 'null' ? url.href : url.origin;
};

export const startOutside = async (given?: OutsidePlace): Promise<Outside> => {
  const { host, name, ports } = given ?? (await anywhere());
  const [simulator, payment, mail] = await Promise.all([
    startPlatformSimulator({ host, port: ports.platform }),
    startPaymentSimulator({ host, port: ports.payment }),
    startMailCatcher({ host, httpPort: ports.mail, smtpPort: ports.smtp }),
  ]);
  return {
    ...{ simulator, payment, mail, gateway: `http://127.0.0.1:${ports.gateway}` },
    addresses: {
      port: ports.gateway,
      platformOrigin: calledBy(name, simulator.origin),
      smtpUrl: calledBy(name, mail.smtpUrl),
      paymentOrigin: calledBy(name, payment.origin),
    },
    stop: async () => {
      await Promise.all([simulator.close(), payment.close(), mail.stop()]);
    },
  };
};

/** Has the payment processor tell the gateway what happens. */
export const connectPayment = ({ payment, gateway }: Outside, secret: string): void =>
  payment.sendTo({ url: `${gateway}/v1/billing/payment`, secret });
