import { readDatabaseClock } from '@tds/base';
import { keyRingUses } from '@tds/contracts';
import type { Kit } from '@tds/kit';
import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';
import mailProviders from 'email-providers/all.json' with { type: 'json' };
import { createFollowCustomer } from './accounts/follow-customer.ts';
import { readConfig, readSecrets } from './config.ts';
import type { CoreDeps, Deps } from './deps.ts';
import { createVault } from './domain/vault.ts';
import { createAfterAnswer } from './store/after-answer.ts';
import { createDatabase } from './store/database.ts';
import { createProjectedPrincipals } from './store/projected-principals.ts';
import { measureSecondUses } from './store/second-uses.ts';
import type { OperatorSurface, Surface } from './surface.ts';
import { createMailExchanges, createMailer } from './upstream/mailer.ts';

type KitDeps = 'db' | 'redis' | 'messaging' | 'onStop';

export const createCoreDeps = (
  kit: Pick<Kit<OperatorSurface>, KitDeps>,
  environment: NodeJS.ProcessEnv,
): CoreDeps => {
  const { pepper, ring } = readSecrets(environment);
  const vault = createVault(pepper.reveal());
  const db = createDatabase(kit.db);
  kit.onStop('prisma', () => db.$disconnect());
  const principals = createProjectedPrincipals(kit.redis, ring);
  const { messaging } = kit;
  return {
    db,
    vault,
    principals,
    messaging,
    now: () => new Date(),
    databaseNow: () => readDatabaseClock(db),
  };
};

export const createDeps = (
  kit: Pick<Kit<Surface>, KitDeps | 'log' | 'metrics'>,
  environment: NodeJS.ProcessEnv,
  overrides: Partial<Deps> = {},
): Deps => {
  const config = readConfig(environment);
  const core = createCoreDeps(kit, environment);
  const codeMacs = readSecrets(environment).ring.forUse(keyRingUses.signInCodes);
  const mailer = createMailer({ smtpUrl: config.smtpUrl.reveal(), from: config.mailFrom });
  kit.onStop('mailer', async () => mailer.close());
  const afterAnswer = createAfterAnswer((error) => kit.log.warn('work after an answer failed', { error }));
  kit.onStop('work after answers', afterAnswer.drain);
  const deps = {
    ...core,
    config,
    codeMacs,
    mailer,
    messaging: kit.messaging,
    disposableDomains: disposableEmailBlocklistSet(),
    mailProviders: new Set(mailProviders),
    mailExchanges: createMailExchanges(config.mailDns),
    afterAnswer: afterAnswer.run,
    countSecondUse: measureSecondUses(kit),
    ...overrides,
  };
  return { ...deps, followCustomer: createFollowCustomer(deps) };
};
