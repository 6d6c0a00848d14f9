import type { Kit } from '@tds/kit';
import type { Sender } from '@tds/messaging';
import type { Prices } from './application/prices.ts';
import type { Config } from './config.ts';
import type { Database, Db } from './store/database.ts';
import type { Payment, StoredPurchase } from './store/purchases.ts';
import type { Surface } from './surface.ts';
import type { Processor } from './upstream/processor.ts';
import type { PaymentEvent } from './upstream/wire.ts';

export type Deps = Pick<Kit<Surface>, 'call' | 'messaging' | 'log'> & {
  readonly config: Config;
  readonly db: Database;
  readonly processor: Processor;
  readonly prices: Prices;
  readonly applyEvent: (event: PaymentEvent, signal: AbortSignal) => Promise<boolean>;
  /** The database's clock. */
  readonly now: () => Promise<Date>;
};

/** An open database transaction, the time that it counts as, the purchases that it has locked, and the payments that it saves. */
export type Transaction = {
  readonly tx: Db;
  readonly send: Sender<Surface>;
  readonly now: Date;
  readonly purchases: Map<string, StoredPurchase>;
  readonly payments: Payment[];
};
