import { channelAt } from '@tds/simulators/platform';
import type { Customer } from './customers.ts';
import { type CallAnswer, makeCall } from './http-call.ts';
import type { Scene } from './scene.ts';
import { by, gatewayUrl } from './transcript-calls.ts';

const CATALOGUE_SEED = 1;
/** Channels that do not grow. */
const QUIET_CHANNELS = 20;
const VIDEO = 'manualEn001';

/** What a stop is about, as the check of stops reads it. */
export type StopSubject = 'webhook' | 'monitor' | 'job' | 'link';

/** Customers who end what they have begun: a webhook, a monitor, a job whose record they erase, and a link to what they have read. */
export const createStopCalls = (scene: Scene) => {
  const { history, customers, random, gateway } = scene;
  const end = (customer: Customer, subject: StopSubject, id: string, path: string): Promise<CallAnswer> =>
    makeCall(history, {
      ...{ kind: 'stop', about: `${subject} ${id}`, url: `${gateway}/v1/${path}`, method: 'DELETE' },
      ...by(customer),
    });
  const begin = async (customer: Customer, path: string, body: object): Promise<CallAnswer> =>
    makeCall(history, { kind: 'begin', about: path, url: `${gateway}/v1/${path}`, body, ...by(customer) });

  /** Begins one, and ends the one that was begun before: it is there for a while. */
  const endOlder = (subject: 'monitor' | 'job' | 'link', path: string, bodyOf: () => object) => {
    let older: { readonly customer: Customer; readonly id: string } | undefined;
    return async (customer: Customer): Promise<CallAnswer | null> => {
      const { json } = await begin(customer, path, bodyOf());
      const id = (json?.[subject] as { id?: string } | undefined)?.id;
      const last = older;
      if (id !== undefined) older = { customer, id };
      return last && last !== older ? end(last.customer, subject, last.id, `${path}/${last.id}`) : null;
    };
  };
  const takeBack = endOlder('link', 'links', () => ({ video_id: VIDEO }));
  const handOn = async (customer: Customer): Promise<CallAnswer | null> => {
    const url = gatewayUrl(scene, { video_id: VIDEO });
    const { record } = await makeCall(history, { kind: 'special', url, about: VIDEO, ...by(customer) });
    customer.spent += record.charged;
    return record.outcome === 'ok' ? takeBack(customer) : null;
  };
  const ends = [
    handOn,
    (customer: Customer) => end(customer, 'webhook', customer.accountId, 'webhooks'),
    endOlder('monitor', 'monitors', () => ({
      channel: channelAt(random.between(1, QUIET_CHANNELS), CATALOGUE_SEED)?.id,
    })),
    endOlder('job', 'jobs', () => ({ video_ids: [VIDEO] })),
  ];

  return {
    stop: async (): Promise<CallAnswer | null> => {
      const customer = customers.take(random, 'cached');
      return customer && !customer.revoked ? random.pick(ends)(customer) : null;
    },
  };
};
