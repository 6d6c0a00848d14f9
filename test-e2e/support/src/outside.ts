import { type MailCatcher, startMailCatcher } from '@tds/local';
import { type PaymentSimulator, startPaymentSimulator } from '@tds/simulators/payment';
import { type PlatformSimulator, startPlatformSimulator } from '@tds/simulators/platform';
import { startWebhookReceiver, type WebhookReceiver } from '@tds/simulators/webhooks';
import { type OutsidePlace, outsideAt } from './outside-place.ts';

/** What a system has around it, and where people reach it. */
export type Outside = {
  readonly simulator: PlatformSimulator;
  readonly payment: PaymentSimulator;
  readonly mail: MailCatcher;
  /** Its address is one of the loopback on which webhooks are sent. What came is evidence: all of it is kept. */
  readonly receiver: WebhookReceiver;
  readonly gateway: string;
  /** As in the services' environments. */
  readonly addresses: { port: number; platformOrigin: string; smtpUrl: string; paymentOrigin: string };
  stop(): Promise<void>;
};

/** An address of this machine, by the name that others have for it. */
const withHost = (name: string, address: string): string => {
  const url = new URL(address);
  url.hostname = name;
  return url.origin === 'null' ? url.href : url.origin;
};

/** On this machine alone where no place is given. */
export const startOutside = async (place?: OutsidePlace): Promise<Outside> => {
  const { host, name, ports } = place ?? (await outsideAt('127.0.0.1', '127.0.0.1'));
  const [simulator, payment, mail, receiver] = await Promise.all([
    startPlatformSimulator({ host, port: ports.platform }),
    startPaymentSimulator({ host, port: ports.payment }),
    startMailCatcher({ host, httpPort: ports.mail, smtpPort: ports.smtp }),
    startWebhookReceiver({ host, port: ports.receiver, capacity: Number.POSITIVE_INFINITY }),
  ]);
  return {
    ...{ simulator, payment, mail, receiver, gateway: `http://127.0.0.1:${ports.gateway}` },
    addresses: {
      port: ports.gateway,
      platformOrigin: withHost(name, simulator.origin),
      smtpUrl: withHost(name, mail.smtpUrl),
      paymentOrigin: withHost(name, payment.origin),
    },
    stop: async () => {
      await Promise.all([simulator.close(), payment.close(), mail.stop(), receiver.stop()]);
    },
  };
};

/** Has the payment processor tell the gateway what happens. */
export const connectPayment = ({ payment, gateway }: Outside, secret: string): void =>
  payment.sendTo({ url: `${gateway}/v1/billing/payment`, secret });
