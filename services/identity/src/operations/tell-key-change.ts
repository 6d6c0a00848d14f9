import { identity } from '@tds/contracts';
import type { CoreDeps } from '../deps.ts';
import { keyStateOf } from '../domain/to-principal.ts';
import type { ChangingKey } from '../store/api-keys.ts';
import type { OperationWork } from './work.ts';

/** Tells gateways how a key is that goes on working, as this transaction leaves it. Resolves to its digest. */
export const tellKeyChange = async (
  { send }: Pick<OperationWork, 'send'>,
  vault: CoreDeps['vault'],
  { id: keyId, sealedDigest, ...key }: ChangingKey,
): Promise<string> => {
  const { accountId, keyVersion, dailyCreditCap } = key;
  const keyDigest = vault.unseal(sealedDigest, keyId);
  const facts = { keyVersion, keyState: keyStateOf(key), dailyCreditCap };
  await send.emit(identity.keyChanged, { accountId, keyId, keyDigest, ...facts });
  return keyDigest;
};
