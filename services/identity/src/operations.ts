import { randomUUID } from 'node:crypto';
import { accountStatus, tier, uuid } from '@tds/contracts';
import { type Kit, startService } from '@tds/kit';
import { setAccountStatus, setAccountTier } from './accounts/accounts.ts';
import { createCoreDeps } from './create-deps.ts';
import type { CoreDeps } from './deps.ts';
import { normalizeEmail } from './domain/email-address.ts';
import { forgetKeysOfAccounts } from './keys/index.ts';
import { revokeKey } from './keys/key-changes.ts';
import { findKeysByPrefix } from './keys/store/api-keys.ts';
import { addOwner } from './people/people.ts';
import { findStatusByEmail } from './store/accounts.ts';
import { type OperatorSurface, operatorSurface } from './surface.ts';

/** A command of an operator: takes its arguments and resolves to the sentence to print. Throws an error to print. */
type Operation = (deps: CoreDeps, words: readonly string[], requestId: string) => Promise<string>;

const usage = (what: string): Error => new Error(`Usage: cli.ts ${what}`);

const describeOutcome = async ({ db }: CoreDeps, email: string, word: string, isChanged: boolean) => {
  if (isChanged) return `The account of ${email} is ${word} now.`;
  if (await findStatusByEmail(db, email)) return `The account of ${email} was ${word} already.`;
  throw new Error(`There is no account of ${email}.`);
};

export const accountStatusOperation: Operation = async (deps, [address = '', word = ''], requestId) => {
  const email = normalizeEmail(address);
  const { data: status } = accountStatus.safeParse(word);
  if (email === null || !status) throw usage(`set-account-status <email> <${accountStatus.options.join('|')}>`);
  const changed = await setAccountStatus(deps, { email, status, actor: 'operator', requestId });
  return describeOutcome(deps, email, status, changed !== null);
};

export const accountTierOperation: Operation = async (deps, [address = '', word = ''], requestId) => {
  const email = normalizeEmail(address);
  const { data: newTier } = tier.safeParse(word);
  if (email === null || !newTier) throw usage(`set-tier <email> <${tier.options.join('|')}>`);
  const isChanged = await setAccountTier(deps, { email, tier: newTier, actor: 'operator', requestId });
  return describeOutcome(deps, email, newTier, isChanged);
};

/** Finds the live key with an id or display prefix. A prefix has three random characters, so several keys may share it. */
const findKeyId = async ({ db, now }: CoreDeps, word: string) => {
  if (uuid.safeParse(word).success) return word;
  const [key, ...otherKeys] = await findKeysByPrefix(db, word, now());
  if (!key) throw new Error(`No live key begins with ${word}.`);
  if (otherKeys.length === 0) return key.id;
  const ids = [key, ...otherKeys].map(({ id }) => `  ${id}`).join('\n');
  throw new Error(`Several keys begin with ${word}; name one by its id:\n${ids}`);
};

/** For an account whose owners cannot be reached. Its owners and the new one are mailed. */
export const addOwnerOperation: Operation = async (deps, [accountId = '', address = ''], requestId) => {
  const email = normalizeEmail(address);
  if (email === null || !uuid.safeParse(accountId).success) throw usage('add-owner <account id> <email>');
  await addOwner(deps, { accountId, email, actor: 'operator', requestId });
  await forgetKeysOfAccounts(deps, [accountId]);
  return `${email} is an owner of the account ${accountId} now.`;
};

export const revokeKeyOperation: Operation = async (deps, [word = ''], requestId) => {
  if (word === '') throw usage('revoke-key <key id or display prefix>');
  const keyId = await findKeyId(deps, word);
  if (await revokeKey(deps, { keyId, actor: 'operator', requestId })) return `The key ${keyId} is revoked.`;
  throw new Error(`There is no live key ${keyId}.`);
};

const idle = { commands: {}, tasks: {}, subscriptions: {}, broadcasts: {}, schedules: {} };

export const operations: ReadonlyMap<string, Operation> = new Map(
  Object.entries({
    'set-account-status': accountStatusOperation,
    'set-tier': accountTierOperation,
    'revoke-key': revokeKeyOperation,
    'add-owner': addOwnerOperation,
  }),
);

/** Runs an operation with the service's environment and connections, so that its events leave through the outbox. */
export const runOperation = async (
  operation: Operation,
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<string> => {
  const answer = Promise.withResolvers<string>();
  const definition = {
    surface: operatorSurface,
    start: async (kit: Kit<OperatorSurface>, variables: NodeJS.ProcessEnv) => {
      answer.resolve(await operation(createCoreDeps(kit, variables), words, randomUUID()));
      return idle;
    },
  };
  const quiet = { LOG_LEVEL: 'warn', ...environment, HEALTH_PORT: '0' };
  const running = await startService(definition, quiet);
  await running.stop();
  return answer.promise;
};
