import { identity, PRINCIPAL_WAIT_MS, type Principal, ServiceError, serviceError } from '@tds/contracts';
import type { Call } from '@tds/service-kit';
import type { MonotonicClock } from '../admission/redis-guard.ts';
import type { Surface } from '../surface.ts';
import type { NetworkGate } from './network-gate.ts';
import type { PrincipalMemory } from './principal-memory.ts';

/** Who asks: the network is worked out where it matters. */
export type Asker = { readonly requestId: string; readonly network: () => string };

/** Asks identity for a key; throws `invalid_api_key` if there is none, and what the gate throws. */
export type LookUpKey = (keyDigest: string, asker: Asker) => Promise<Principal>;

/** However many requests wait for the same key, identity is asked once. */
export const createKeyLookUps = (
  call: Call<Surface>,
  memory: PrincipalMemory,
  gate: NetworkGate,
  clock: MonotonicClock,
): LookUpKey => {
  const underWay = new Map<string, Promise<Principal>>();
  const ask = async (keyDigest: string, requestId: string): Promise<Principal> => {
    const askedAt = clock();
    try {
      const context = { requestId, accountId: null, signal: AbortSignal.timeout(PRINCIPAL_WAIT_MS) };
      return memory.learn(keyDigest, await call(identity.authenticateKey, { keyDigest }, context), askedAt);
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'invalid_api_key')
        memory.learnUnknown(keyDigest, askedAt);
      throw error;
    }
  };
  return async (keyDigest, { requestId, network }) => {
    // Others may have learnt it since this request last looked.
    const known = memory.get(keyDigest);
    if (known === 'unknown') throw serviceError('invalid_api_key');
    if (known) return known;
    let asked = underWay.get(keyDigest);
    if (asked === undefined) {
      asked = gate
        .lookUp(keyDigest, network, () => ask(keyDigest, requestId))
        .finally(() => underWay.delete(keyDigest));
      underWay.set(keyDigest, asked);
    }
    const principal = await asked;
    // The key may have been revoked while identity was answering.
    if (memory.get(keyDigest) === 'unknown') throw serviceError('invalid_api_key');
    return principal;
  };
};
