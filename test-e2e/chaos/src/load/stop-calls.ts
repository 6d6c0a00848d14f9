import { channelAt } from '@tds/platform-simulator';
import type { Customer } from './customers.ts';
import { type CallAnswer, makeCall } from './http-call.ts';
import type { Scene } from './scene.ts';
import { by } from './transcript-calls.ts';

const CATALOGUE_SEED = 1;
/** Channels that do not grow. */
const QUIET_CHANNELS = 20;
const VIDEO = 'manualEn001';

/** What a stop is about, as the check of stops reads it. */
export type StopSubject = 'webhook' | 'monitor' | 'job';

/** Customers who end what they have begun: a webhook, a monitor, and a job whose record they erase. */
export const createStopCalls = ({ history, customers, random, gateway }: Scene) => {
  const end = (customer: Customer, subject: StopSubject, id: string, path: string): Promise<CallAnswer> =>
    makeCall(history, {
      ...{ kind: 'stop', about: `${subject} ${id}`, url: `${gateway}/v1/${path}`, method: 'DELETE' },
      ...by(customer),
    });
  const begin = async (customer: Customer, path: string, body: object): Promise<CallAnswer> =>
    makeCall(history, { kind: 'begin', about: path, url: `${gateway}/v1/${path}`, body, ...by(customer) });

  const endWebhook = (customer: Customer) => end(customer, 'webhook', customer.accountId, 'webhooks');

  const endMonitor = async (customer: Customer) => {
    const channel = channelAt(random.between(1, QUIET_CHANNELS), CATALOGUE_SEED)?.id;
    const { json } = await begin(customer, 'monitors', { channel });
    const id = (json?.monitor as { id?: string } | undefined)?.id;
    return id === undefined ? null : end(customer, 'monitor', id, `monitors/${id}`);
  };

  const eraseJob = async (customer: Customer) => {
    const { json } = await begin(customer, 'jobs', { video_ids: [VIDEO] });
    const id = (json?.job as { id?: string } | undefined)?.id;
    return id === undefined ? null : end(customer, 'job', id, `jobs/${id}`);
  };

  return {
    stop: async (): Promise<CallAnswer | null> => {
      const customer = customers.take(random, 'cached');
      return customer && !customer.revoked ? random.pick([endWebhook, endMonitor, eraseJob])(customer) : null;
    },
  };
};
