import { type MailCatcher, startMailCatcher } from '@tds/local';
import { type PaymentSimulator, startPaymentSimulator } from '@tds/payment-simulator';
import { type PlatformSimulator, startPlatformSimulator } from '@tds/platform-simulator';
import { freePort } from '@tds/servers';

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

export const startOutside = async (): Promise<Outside> => {
  const [simulator, payment, mail, port] = await Promise.all([
    startPlatformSimulator({}),
    startPaymentSimulator(),
    startMailCatcher(),
    freePort(),
  ]);
  return {
    ...{ simulator, payment, mail, gateway: `http://127.0.0.1:${port}` },
    addresses: {
      ...{ port, platformOrigin: simulator.origin, smtpUrl: mail.smtpUrl },
      paymentOrigin: payment.origin,
    },
    stop: async () => {
      await Promise.all([simulator.close(), payment.close(), mail.stop()]);
    },
  };
};

/** Has the payment processor tell the gateway what happens. */
export const connectPayment = ({ payment, gateway }: Outside, secret: string): void =>
  payment.sendTo({ url: `${gateway}/v1/billing/payment`, secret });
