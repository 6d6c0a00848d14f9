import type { Kit, Messaging } from '@tds/service-kit';
import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';
import { type AfterAnswer, createAfterAnswer } from './after-answer.ts';
import { type Config, readConfig, readPepper } from './config.ts';
import { createVault, type Vault } from './domain/vault.ts';
import type { OperatorSurface } from './operations/operator-surface.ts';
import { readClock } from './store/clock.ts';
import { createPrismaClient, type PrismaClient } from './store/prisma-client.ts';
import { createProjectedPrincipals, type ProjectedPrincipals } from './store/projected-principals.ts';
import type { Surface } from './surface.ts';
import { createMailExchanges, type MailExchanges } from './upstream/mail-exchanges.ts';
import { createMailer, type Mailer } from './upstream/mailer.ts';

/** What an operator's command works with, too. */
export type CoreDeps = {
  readonly db: PrismaClient;
  readonly messaging: Messaging<OperatorSurface>;
  readonly principals: ProjectedPrincipals;
  readonly vault: Vault;
  readonly now: () => Date;
  /** One clock for all instances: what is swept for everybody must not hang on whose machine it is. */
  readonly databaseNow: () => Promise<Date>;
};

export type Deps = Omit<CoreDeps, 'messaging'> & {
  readonly config: Pick<Config, 'networkLimits' | 'accountsPerMailbox'>;
  readonly messaging: Messaging<Surface>;
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
  const vault = createVault(readPepper(environment).reveal());
  const db = createPrismaClient(kit.db);
  kit.onStop('prisma', () => db.$disconnect());
  const principals = createProjectedPrincipals(kit.redis);
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
  const mailer = createMailer({ smtpUrl: config.smtpUrl.reveal(), from: config.mailFrom });
  kit.onStop('mailer', async () => mailer.close());
  const afterAnswer = createAfterAnswer((error) => kit.log.warn('work after an answer failed', { error }));
  kit.onStop('work after answers', afterAnswer.drain);
  return {
    ...core,
    config,
    mailer,
    messaging: kit.messaging,
    disposableDomains: disposableEmailBlocklistSet(),
    mailExchanges: createMailExchanges(config.mailDns),
    afterAnswer: afterAnswer.run,
    ...overrides,
  };
};
