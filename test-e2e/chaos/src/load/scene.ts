import type { Evidence } from '@tds/audit';
import type { PlatformSimulator } from '@tds/simulators/platform';
import type { WebhookReceiver } from '@tds/simulators/webhooks';
import type { Random } from '#support';
import type { History } from '../history.ts';
import type { Customer, Customers } from './customers.ts';

/** Of each channel and playlist that is watched, what was uploaded since. */
export type Uploads = Map<string, readonly string[]>;

/** What calls are made with. */
export type Scene = {
  readonly gateway: string;
  readonly history: History;
  readonly customers: Customers;
  readonly random: Random;
  readonly seed: number;
  readonly evidence: Evidence;
  readonly receiver: WebhookReceiver;
  readonly simulator: Pick<PlatformSimulator, 'upload'>;
  readonly uploads: Uploads;
  /** Customers who spend more than they have, as their accounts are refilled. */
  readonly refilled: Customer[];
};

/** The channels of the catalogue from here on get new videos, or have a playlist that does: no call lists them. */
export const FIRST_GROWING = 36;
