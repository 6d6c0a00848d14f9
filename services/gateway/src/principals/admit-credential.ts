import { identity, type Principal, serviceError } from '@tds/contracts';
import { type Call, isServiceAway } from '@tds/service-kit';
import type { Admission, Admit } from '../admission/admission.ts';
import type { AdmissionAsk } from '../admission/admit-wire.ts';
import type { MonotonicClock } from '../admission/redis-guard.ts';
import type { Surface } from '../surface.ts';
import type { Asker, LookUpKey } from './key-look-ups.ts';
import type { NetworkGate } from './network-gate.ts';
import { sessionOverLimit } from './over-limit.ts';
import type { PrincipalMemory } from './principal-memory.ts';

export type AdmitParts = {
  readonly call: Call<Surface>;
  readonly admit: Admit;
  readonly memory: PrincipalMemory;
  readonly lookUpKey: LookUpKey;
  readonly gate: NetworkGate;
  readonly clock: MonotonicClock;
};

export const unknownKey = serviceError('invalid_api_key');

const learn = ({ memory }: AdmitParts, digest: string, learnt: Principal, askedAt: number): Principal => {
  const principal = memory.learn(digest, learnt, askedAt);
  // It was revoked meanwhile.
  if (memory.get(digest) === 'unknown') throw unknownKey;
  return principal;
};

/** Identity's word if Redis has none. With a principal in hand, Redis or this process always decides. */
const admitByIdentity = async (
  { admit, lookUpKey }: AdmitParts,
  ask: AdmissionAsk,
  asker: Asker,
): Promise<Admission> => {
  try {
    const known = await lookUpKey(ask.keyDigest, asker);
    return (await admit.ask({ ...ask, known })) as Admission;
  } catch (error) {
    // Redis may only have been late, and its projection is as good as identity's word.
    const admission = isServiceAway(error) ? await admit.ask(ask) : null;
    if (admission === null) throw error;
    return admission;
  }
};

export const admitKey = async (
  parts: AdmitParts,
  keyDigest: string,
  wantedKey: string | null,
  asker: Asker,
): Promise<Admission> => {
  const { admit, memory, gate, clock } = parts;
  const known = memory.get(keyDigest);
  if (known === 'unknown') throw unknownKey;
  const askedAt = clock();
  const ask = { keyDigest, known, wantedKey };
  const admission = (await admit.ask(ask)) ?? (await admitByIdentity(parts, ask, asker));
  if (!admission.isLearnt) return admission;
  gate.prove(keyDigest);
  return { ...admission, principal: learn(parts, keyDigest, admission.principal, askedAt) };
};

/** Only sessions that identity knows are counted; one that is over its limit is refused before it is asked again. */
export const admitSession = async (
  { call, admit, gate }: AdmitParts,
  sessionDigest: string,
  { requestId, network }: Asker,
): Promise<Admission> => {
  const waitMs = admit.sessionWaitMs(sessionDigest);
  if (waitMs > 0) throw sessionOverLimit(waitMs);
  const context = { requestId, accountId: null, signal: new AbortController().signal };
  const principal = await gate.lookUp(sessionDigest, network, () =>
    call(identity.authenticateSession, { sessionDigest }, context),
  );
  return (await admit.ask({ keyDigest: sessionDigest, known: principal, wantedKey: null })) as Admission;
};
