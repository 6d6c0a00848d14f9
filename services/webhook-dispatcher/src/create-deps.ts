import { randomUUID } from 'node:crypto';
import { createSql } from '@tds/base';
import { identity, WEBHOOK_SECRETS } from '@tds/contracts';
import type { Kit } from '@tds/kit';
import { createSigningKeys, makeAttempt, unsentOutcome } from './application/attempt.ts';
import { saveOutcomes } from './application/save-outcomes.ts';
import { createSender, measureDeliveries } from './application/send-deliveries.ts';
import { readConfig } from './config.ts';
import type { Deps, Overrides } from './deps.ts';
import { FIRST_ABANDONED, FIRST_DUE_QUEUE, takeTurn } from './store/attempts.ts';
import { createDatabase } from './store/database.ts';
import type { Surface } from './surface.ts';
import { createDestinationGuard, createResolveHost } from './upstream/destination-guard.ts';
import { createPoster } from './upstream/post-webhook.ts';
import { createDocumentReader } from './upstream/read-document.ts';

/** The wait for identity: an attempt ends well within its lease. */
const PHASE_WITHIN_MS = 5_000;

export const createDeps = (
  kit: Kit<Surface>,
  environment: NodeJS.ProcessEnv,
  { now = () => new Date() }: Overrides = {},
): Deps => {
  const config = readConfig(environment);
  const { messaging, log } = kit;
  const db = createDatabase(kit.db);
  kit.onStop('prisma', () => db.$disconnect());
  const guard = createDestinationGuard(config, createResolveHost(config.dns));
  const poster = createPoster(guard);
  kit.onStop('connections to receivers', poster.close);
  const documents = createDocumentReader(guard);
  kit.onStop('connections to apps', documents.close);
  const cipher = config.keyRing.cipher(WEBHOOK_SECRETS);
  const keysOf = createSigningKeys(cipher);
  const sql = createSql(kit.db);
  const isRevoked = async (key: { accountId: string; keyId: string }, stopping: AbortSignal) => {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(PHASE_WITHIN_MS)]);
    const context = { requestId: randomUUID(), accountId: key.accountId, signal };
    const { phase, isPersonRemoved } = await kit.call(identity.getKeyPhase, key, context);
    return phase === 'revoked' || isPersonRemoved === true;
  };
  const measure = measureDeliveries(kit);
  const sender = createSender({
    turn: async (outcomes, limit) => measure(await takeTurn(sql, outcomes, limit)),
    attempt: (delivery, signal) =>
      makeAttempt({ poster, isRevoked, keysOf, openAddress: cipher.decrypt, now }, delivery, signal),
    unsent: (delivery) => unsentOutcome(delivery, now()),
    save: (outcomes) => saveOutcomes({ db, messaging, cipher }, outcomes),
    concurrency: config.deliveryConcurrency,
    log,
  });
  kit.onDue('sendDeliveries', FIRST_DUE_QUEUE);
  kit.onDue('endAbandonedAttempts', FIRST_ABANDONED);
  return { db, messaging, guard, documents, cipher, publicUrl: config.publicUrl, sender, now };
};
