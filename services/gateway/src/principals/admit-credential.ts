import { createSingleFlight, isServiceAway } from '@tds/base';
import { identity, PRINCIPAL_WAIT_MS, type Principal, SECOND_MS } from '@tds/contracts';
import { hasCode, type ServiceError, serviceError } from '@tds/errors';
import type { Call } from '@tds/kit';
import {
  type Admission,
  type AdmissionRequest,
  type Admit,
  MAX_WAIT_MS,
  type RequestUse,
} from '../admission/index.ts';
import type { MonotonicClock } from '../redis/index.ts';
import type { Surface } from '../surface.ts';
import type { NetworkGate } from './network-gate.ts';
import type { PrincipalMemory } from './projected-principals.ts';

const MAX_WAIT_SECONDS = MAX_WAIT_MS / SECOND_MS;

/** Created once per number of seconds: a stack trace costs more than the rest of the refusal. */
const createRateLimitErrors = (message?: string) => {
  const after = (retryAfterSeconds: number): ServiceError =>
    serviceError('rate_limit', { retryAfterSeconds, ...(message && { message }) });
  const errors = Array.from({ length: MAX_WAIT_SECONDS + 1 }, (_, seconds) => after(seconds));
  return (waitMs: number): ServiceError => errors[Math.ceil(waitMs / SECOND_MS)] ?? after(MAX_WAIT_SECONDS);
};

const keyOverLimit = createRateLimitErrors();
const sessionOverLimit = createRateLimitErrors(
  'Too many requests in a minute with this session. Wait before the next one.',
);

export const overLimit = ({ keyId }: Principal, waitMs: number): ServiceError =>
  keyId === null ? sessionOverLimit(waitMs) : keyOverLimit(waitMs);

/** The network is computed only if it is needed. */
type Requester = { readonly requestId: string; readonly network: () => string };

/** Asks identity for a key. Throws `invalid_api_key`, and what the gate throws. */
type LookUpKey = (keyDigest: string, requester: Requester) => Promise<Principal>;

/** Asks identity once for all concurrent requests of a key. */
export const createKeyLookUps = (
  call: Call<Surface>,
  memory: PrincipalMemory,
  gate: NetworkGate,
  clock: MonotonicClock,
): LookUpKey => {
  const flight = createSingleFlight<Principal>();
  const ask = async (keyDigest: string, requestId: string): Promise<Principal> => {
    const askedAt = clock();
    try {
      const context = { requestId, accountId: null, signal: AbortSignal.timeout(PRINCIPAL_WAIT_MS) };
      return memory.keep(keyDigest, await call(identity.authenticateKey, { keyDigest }, context), askedAt);
    } catch (error) {
      if (hasCode(error, 'invalid_api_key')) memory.keepUnknown(keyDigest, askedAt);
      throw error;
    }
  };
  return async (keyDigest, { requestId, network }) => {
    // Another request may have kept it meanwhile.
    const cached = memory.get(keyDigest);
    if (cached === 'unknown') throw serviceError('invalid_api_key');
    if (cached) return cached;
    const principal = await flight(keyDigest, () =>
      gate.lookUp(keyDigest, network, () => ask(keyDigest, requestId)),
    );
    // The key may have been revoked while identity was answering.
    if (memory.get(keyDigest) === 'unknown') throw serviceError('invalid_api_key');
    return principal;
  };
};

export type AdmitDeps = {
  readonly call: Call<Surface>;
  readonly admit: Admit;
  readonly memory: PrincipalMemory;
  readonly lookUpKey: LookUpKey;
  readonly gate: NetworkGate;
  readonly clock: MonotonicClock;
};

export const unknownKey = serviceError('invalid_api_key');

const keepPrincipal = ({ memory }: AdmitDeps, digest: string, fresh: Principal, askedAt: number): Principal => {
  const principal = memory.keep(digest, fresh, askedAt);
  // The key was revoked meanwhile.
  if (memory.get(digest) === 'unknown') throw unknownKey;
  return principal;
};

/** Asks identity if Redis does not know the key. Once the principal is known, Redis or this process always decides. */
const admitByIdentity = async (
  { admit, lookUpKey }: AdmitDeps,
  request: AdmissionRequest,
  requester: Requester,
): Promise<Admission> => {
  try {
    const principal = await lookUpKey(request.keyDigest, requester);
    return (await admit.ask({ ...request, principal })) as Admission;
  } catch (error) {
    // If identity is away, ask Redis again: it may only have been late.
    const admission = isServiceAway(error) ? await admit.ask(request) : null;
    if (admission === null) throw error;
    return admission;
  }
};

export const admitKey = async (
  deps: AdmitDeps,
  keyDigest: string,
  use: RequestUse,
  requester: Requester,
): Promise<Admission> => {
  const { admit, memory, gate, clock } = deps;
  const principal = memory.get(keyDigest);
  if (principal === 'unknown') throw unknownKey;
  const askedAt = clock();
  const request = { keyDigest, principal, use };
  const admission = (await admit.ask(request)) ?? (await admitByIdentity(deps, request, requester));
  if (!admission.isNew) return admission;
  gate.markKnown(keyDigest);
  return { ...admission, principal: keepPrincipal(deps, keyDigest, admission.principal, askedAt) };
};

/** Counts only sessions that identity knows. A session over its limit is refused before identity is asked. */
export const admitSession = async (
  { call, admit, gate }: AdmitDeps,
  sessionDigest: string,
  { requestId, network }: Requester,
): Promise<Admission> => {
  const waitMs = admit.sessionWaitMs(sessionDigest);
  if (waitMs > 0) throw sessionOverLimit(waitMs);
  const context = { requestId, accountId: null, signal: new AbortController().signal };
  const principal = await gate.lookUp(sessionDigest, network, () =>
    call(identity.authenticateSession, { sessionDigest }, context),
  );
  return (await admit.ask({ keyDigest: sessionDigest, principal, use: null })) as Admission;
};
