import { keyRingUses } from '@tds/contracts';
import type { Kit, Macs, Messaging, Sender } from '@tds/service-kit';
import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';
import { type AfterAnswer, createAfterAnswer } from './application/after-answer.ts';
import { type Config, readConfig, readSecrets } from './config.ts';
import { createVault, type Vault } from './domain/vault.ts';
import { createDatabase, type Database, type Db, readClock } from './store/database.ts';
import { createProjectedPrincipals, type ProjectedPrincipals } from './store/projected-principals.ts';
import type { OperatorSurface, Surface } from './surface.ts';
import { createMailExchanges, type MailExchanges } from './upstream/mail-exchanges.ts';
import { createMailer, type Mailer } from './upstream/mailer.ts';

/** What operators' commands work with, too. */
export type CoreDeps = {
  readonly db: Database;
  readonly messaging: Messaging<OperatorSurface>;
  readonly principals: ProjectedPrincipals;
  readonly vault: Vault;
  readonly now: () => Date;
  /** One clock for all instances: what is swept for all of them must not depend on one machine's clock. */
  readonly databaseNow: () => Promise<Date>;
};

/** An open database transaction, what it sends when it commits, and the moment that it counts as. */
export type Transaction = {
  readonly tx: Db;
  readonly send: Sender<OperatorSurface>;
  readonly now: Date;
};

export type Deps = Omit<CoreDeps, 'messaging'> & {
  readonly config: Pick<Config, 'networkLimits' | 'accountsPerMailbox'>;
  readonly messaging: Messaging<Surface>;
  /** Of codes as callers show them. */
  readonly codeMacs: Macs;
  readonly mailer: Mailer;
  readonly disposableDomains: ReadonlySet<string>;
  readonly mailExchanges: MailExchanges;
  readonly afterAnswer: AfterAnswer;
};

/** What tests put in the place of the real thing. */
export type Overrides = Partial<
  Pick<Deps, 'now' | 'databaseNow' | 'mailer' | 'mailExchanges' | 'principals'>
>;

type Lent = 'db' | 'redis' | 'messaging' | 'onStop';

export const createCoreDeps = (
  kit: Pick<Kit<OperatorSurface>, Lent>,
  environment: NodeJS.ProcessEnv,
): CoreDeps => {
  const { pepper, ring } = readSecrets(environment);
  const vault = createVault(pepper.reveal());
  const db = createDatabase(kit.db);
  kit.onStop('prisma', () => db.$disconnect());
  const principals = createProjectedPrincipals(kit.redis, ring);
  const { messaging } = kit;
  return { db, vault, principals, messaging, now: () => new Date(), databaseNow: () => readClock(db) };
};

export const createDeps = (
  kit: Pick<Kit<Surface>, Lent | 'log'>,
  environment: NodeJS.ProcessEnv,
  overrides: Overrides = {},
): Deps => {
  const config = readConfig(environment);
  const core = createCoreDeps(kit, environment);
  const codeMacs = readSecrets(environment).ring.forUse(keyRingUses.signInCodes);
  const mailer = createMailer({ smtpUrl: config.smtpUrl.reveal(), from: config.mailFrom });
  kit.onStop('mailer', async () => mailer.close());
  const afterAnswer = createAfterAnswer((error) => kit.log.warn('work after an answer failed', { error }));
  kit.onStop('work after answers', afterAnswer.drain);
  return {
    ...core,
    config,
    codeMacs,
    mailer,
    messaging: kit.messaging,
    disposableDomains: disposableEmailBlocklistSet(),
    mailExchanges: createMailExchanges(config.mailDns),
    afterAnswer: afterAnswer.run,
    ...overrides,
  };
};
