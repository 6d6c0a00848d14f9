import { uuid } from '@tds/contracts';
import type { CoreDeps } from '../deps.ts';
import { revokeKey } from '../operations/revoke-key.ts';
import { findKeysByPrefix } from '../store/api-keys.ts';
import type { Operation } from './operation.ts';

const USAGE = 'Usage: revoke-key <key id or display prefix>';

/** The one live key that the words mean. A display prefix has three random characters: it may mean several. */
const keyIdOf = async ({ db, now }: CoreDeps, word: string): Promise<string> => {
  if (uuid.safeParse(word).success) return word;
  const [found, ...others] = await findKeysByPrefix(db, word, now());
  if (!found) throw new Error(`No live key begins with ${word}.`);
  if (others.length === 0) return found.id;
  const ids = [found, ...others].map(({ id }) => `  ${id}`).join('\n');
  throw new Error(`${word} means several keys; name one by its id:\n${ids}`);
};

export const revokeKeyOperation: Operation = async (deps, [word = ''], requestId) => {
  if (word === '') throw new Error(USAGE);
  const keyId = await keyIdOf(deps, word);
  if (await revokeKey(deps, { keyId, actor: 'operator', requestId })) return `The key ${keyId} is revoked.`;
  throw new Error(`There is no live key ${keyId}.`);
};
