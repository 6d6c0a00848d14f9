import type { Macs } from '@tds/base';
import type { Surface as AnySurface, billing, PayloadOf } from '@tds/contracts';
import type { ListenerContext, Messaging, Sender } from '@tds/messaging';
import type { Config } from './config.ts';
import type { Vault } from './domain/vault.ts';
import type { AuditEntry } from './store/accounts.ts';
import type { AfterAnswer } from './store/after-answer.ts';
import type { Database, Db } from './store/database.ts';
import type { ProjectedPrincipals } from './store/projected-principals.ts';
import type { CountSecondUse } from './store/second-uses.ts';
import type { OperatorSurface, Surface } from './surface.ts';
import type { MailExchanges, Mailer } from './upstream/mailer.ts';

/** Dependencies that operators' commands share with the service. */
export type CoreDeps = {
  readonly db: Database;
  readonly messaging: Messaging<OperatorSurface>;
  readonly principals: ProjectedPrincipals;
  readonly vault: Vault;
  readonly now: () => Date;
  /** The database's clock: schedules that act for all instances must not depend on one machine's clock. */
  readonly databaseNow: () => Promise<Date>;
};

/** Who changes something, as the audit has it. */
export type Author = Pick<AuditEntry, 'actor' | 'requestId' | 'clientAddress' | 'actingKeyId' | 'personId'>;

/** An open database transaction, the messages that it sends, the time that it counts as, and its author. Operators send no tasks. */
export type Transaction<S extends AnySurface = OperatorSurface> = {
  readonly tx: Db;
  readonly send: Sender<S>;
  readonly now: Date;
  readonly vault: Vault;
  readonly author: Author;
};

export type Deps = Omit<CoreDeps, 'messaging'> & {
  readonly config: Pick<
    Config,
    'networkLimits' | 'accountsPerMailbox' | 'accountsPerDomain' | 'supportEmail' | 'publicUrl'
  >;
  readonly messaging: Messaging<Surface>;
  /** Proofs of sign-in codes. */
  readonly codeMacs: Macs;
  readonly mailer: Mailer;
  readonly disposableDomains: ReadonlySet<string>;
  /** Hosts of providers whose addresses belong to many people. */
  readonly mailProviders: ReadonlySet<string>;
  readonly mailExchanges: MailExchanges;
  readonly afterAnswer: AfterAnswer;
  readonly countSecondUse: CountSecondUse;
  readonly followCustomer: (
    customer: PayloadOf<typeof billing.customerChanged>,
    context: ListenerContext,
  ) => Promise<void>;
};
