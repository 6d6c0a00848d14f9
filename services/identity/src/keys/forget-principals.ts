import type { CoreDeps } from '../deps.ts';
import { findKeysOfAccounts, type KeyWithDigest } from './store/api-keys.ts';

/** Removes projected principals after a commit. Ignores failures: the sweep removes them within seconds, even if this process dies. */
export const forgetPrincipals = ({ principals }: Pick<CoreDeps, 'principals'>, keyDigests: readonly string[]) =>
  principals.remove(keyDigests).catch(() => {});

type Deps = Pick<CoreDeps, 'db' | 'vault' | 'principals'>;

/** The same for stored keys. */
export const forgetKeys = (deps: Deps, keys: readonly KeyWithDigest[]) =>
  forgetPrincipals(
    deps,
    keys.map(({ id, encryptedDigest }) => deps.vault.decrypt(encryptedDigest, id)),
  );

export const forgetKeysOfAccounts = async (deps: Deps, accountIds: readonly string[]) =>
  forgetKeys(deps, await findKeysOfAccounts(deps.db, accountIds));
