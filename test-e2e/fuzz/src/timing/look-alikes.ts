import { randomUUID } from 'node:crypto';
import type { Evidence } from '@tds/audit';
import type { Caller } from '../callers.ts';

/** Two kinds of calls whose callers must not learn which of them they have made. */
export type LookAlikes = {
  readonly name: string;
  readonly left: () => Promise<Response>;
  readonly right: () => Promise<Response>;
};

export type Place = {
  readonly gateway: string;
  readonly evidence: Evidence;
  /** With sessions: enough for none of them to meet its limit per minute. */
  readonly callers: readonly Pick<Caller, 'session'>[];
  /** The key of another account. */
  readonly keyOfAnother: string;
};

const INSERT_ACCOUNTS = `
  INSERT INTO accounts (id, email, mailbox, created_at)
  SELECT gen_random_uuid(), address, address, now() FROM unnest($1::text[]) AS address`;

const newAddress = (): string => `${randomUUID()}@example.com`;
const WRONG_CODE = '000000';

/** A13: whether an address has an account, and whether an id is a key of anybody, each asked `count` times. */
export const prepareLookAlikes = async (place: Place, count: number): Promise<readonly LookAlikes[]> => {
  const { gateway, evidence, callers, keyOfAnother } = place;
  const post = (path: string, body: object) =>
    fetch(`${gateway}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const known = Array.from({ length: 2 * count }, newAddress);
  await evidence.rows('identity', INSERT_ACCOUNTS, [known]);
  const nextKnown = () => known.pop() ?? newAddress();
  const askForCode = (email: string) => post('/v1/auth/code', { email });
  const guess = (email: string) => post('/v1/auth/verify', { email, code: WRONG_CODE, accept_terms: true });
  let revoked = 0;
  const revoke = (keyId: string) => {
    const session = callers[revoked++ % callers.length]?.session;
    return fetch(`${gateway}/v1/keys/${keyId}`, {
      method: 'DELETE',
      headers: { cookie: `svc_dashboard=${session}`, 'x-service-dashboard': '1' },
    });
  };
  return [
    {
      name: 'a code for an address with an account, and without',
      left: () => askForCode(nextKnown()),
      right: () => askForCode(newAddress()),
    },
    {
      name: 'a wrong code for an address with an account, and without',
      left: () => guess(nextKnown()),
      right: () => guess(newAddress()),
    },
    {
      name: "revoking another account's key, and an unknown key",
      left: () => revoke(keyOfAnother),
      right: () => revoke(randomUUID()),
    },
  ];
};
