import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { digestSecret, displayPrefix, isWellFormedCredential } from '@tds/contracts';
import { newApiKey } from '../../test-support/builders.ts';
import { createSecrets, createSessionSecrets, type NewSecrets, type RepeatScope } from './key-secrets.ts';

const [ONE, ANOTHER] = ['one-secret-of-the-gateway-0123456789', 'another-secret-of-the-gateway-0123456'];
const newSecrets = (scope: RepeatScope) => createSecrets(ONE, scope);
const sessionSecrets = (accountId: string, session: string, replaySecret = ONE) =>
  createSessionSecrets(replaySecret, accountId, session);
const scope: RepeatScope = {
  accountId: randomUUID(),
  actingKeyId: randomUUID(),
  operation: 'create-key',
  idempotencyKey: 'once',
};
const digestsOf = ({ secretFields: { keyDigest, spares = [] } }: NewSecrets) => [
  keyDigest,
  ...spares.map((spare) => spare.keyDigest),
];
/** The key that identity makes of the n-th candidate. */
const madeOf = ({ secretFields: sent }: NewSecrets, choice: number) => {
  const { keyPrefix, keyDigest } = [sent, ...(sent.spares ?? [])][choice] as typeof sent;
  return { key: newApiKey({ prefix: keyPrefix }), keyDigest };
};

describe('the secrets of a repeat', () => {
  it.each([0, 1, 2, 3])('are those of the first request: candidate %i is returned again', (choice) => {
    const first = newSecrets(scope);
    const { key, keyDigest } = madeOf(first, choice);
    const shown = first.getSecret({ key });
    expect(isWellFormedCredential(shown)).toBe(true);
    expect([displayPrefix(shown), digestSecret(shown)]).toEqual([key.prefix, keyDigest]);
    const nonce = first.secretFields.idempotency?.nonce ?? '';
    expect(newSecrets(scope).getSecret({ key, replay: { nonce, keyDigest } })).toBe(shown);
  });

  it.each<[string, Partial<RepeatScope>]>([
    ['account', { accountId: randomUUID() }],
    ['acting key', { actingKeyId: randomUUID() }],
    ['actor, being a session', { actingKeyId: null }],
    ['operation', { operation: `rotate-key ${randomUUID()}` }],
    ['Idempotency-Key', { idempotencyKey: 'twice' }],
  ])('are never returned to another %s', (_what, other) => {
    const first = newSecrets(scope);
    const { key, keyDigest } = madeOf(first, 0);
    const replay = { nonce: first.secretFields.idempotency?.nonce ?? '', keyDigest };
    expect(() => newSecrets({ ...scope, ...other }).getSecret({ key, replay })).toThrow(
      expect.objectContaining({ code: 'replay_not_possible' }),
    );
  });

  it('cannot be derived with another secret of the gateway', () => {
    const first = newSecrets(scope);
    const { key, keyDigest } = madeOf(first, 0);
    const replay = { nonce: first.secretFields.idempotency?.nonce ?? '', keyDigest };
    const changed = createSecrets(ANOTHER, scope);
    expect(() => changed.getSecret({ key, replay })).toThrow(
      expect.objectContaining({ code: 'replay_not_possible' }),
    );
  });
});

describe('the secret of a session', () => {
  const [accountId, session] = [randomUUID(), digestSecret('a session')];
  /** What identity answers to the first request of a session, and to all later ones. */
  const madeBy = ({
    secretFields: { keyId: id, keyPrefix: prefix, keyDigest },
  }: ReturnType<typeof sessionSecrets>) => ({
    key: { id, prefix },
    keyDigest,
  });

  it('is the same for each of its requests, though each proposes another one', () => {
    const [first, second] = [sessionSecrets(accountId, session), sessionSecrets(accountId, session)];
    const made = madeBy(first);
    expect(second.secretFields.keyDigest).not.toBe(first.secretFields.keyDigest);
    expect(digestSecret(first.getSecret(made) ?? '')).toBe(made.keyDigest);
    expect(second.getSecret(made)).toBe(first.getSecret(made));
  });

  it('is derived for no other session or account, and with no other secret of the gateway', () => {
    const made = madeBy(sessionSecrets(accountId, session));
    for (const other of [
      sessionSecrets(accountId, digestSecret('another session')),
      sessionSecrets(randomUUID(), session),
      sessionSecrets(accountId, session, ANOTHER),
    ])
      expect(other.getSecret(made)).toBeUndefined();
  });
});

describe('new secrets', () => {
  it('differ for every request, so that a used Idempotency-Key makes a new key after its day', () => {
    const digests = [newSecrets(scope), newSecrets(scope)].flatMap(digestsOf);
    expect(new Set(digests).size).toBe(8);
  });

  it('are random without an Idempotency-Key', () => {
    const plain = newSecrets({ ...scope, idempotencyKey: null });
    expect(plain.secretFields).not.toHaveProperty('idempotency');
    expect(new Set([plain, newSecrets({ ...scope, idempotencyKey: null })].flatMap(digestsOf)).size).toBe(8);
  });

  it('contain only the digest of the Idempotency-Key', () => {
    const { secretFields: sent } = newSecrets({ ...scope, idempotencyKey: 'canary' });
    expect(sent.idempotency?.digest).toBe(digestSecret('canary'));
    expect(JSON.stringify(sent)).not.toContain('canary');
  });
});
