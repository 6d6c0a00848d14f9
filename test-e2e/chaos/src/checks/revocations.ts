import { spawn } from 'node:child_process';
import path from 'node:path';
import type { Finding } from '@tds/audit';
import { workspaceRoot } from '@tds/servers';
import { sleep } from '#support';
import type { Harness } from '../harness.ts';
import type { History } from '../history.ts';
import type { Customer } from '../load/customers.ts';
import { makeCall } from '../load/http-call.ts';

const BOUND_MS = 30_000;
const ASK_EVERY_MS = 1_500;
/** Asked for a while beyond the bound, or nothing would be proved. */
const ASK_FOR_MS = BOUND_MS + 6_000;

const program = path.join(workspaceRoot, 'services/identity/src/cli.ts');

/** The operator's own command; true when it said that the key is revoked. */
const revoke = ({ system }: Harness, keyId: string): Promise<boolean> =>
  new Promise((resolve) => {
    const env = { ...system.environmentOf.identity, LOG_LEVEL: 'silent' };
    const child = spawn(process.execPath, [program, 'revoke-key', keyId], {
      env,
      stdio: 'ignore',
      timeout: 20_000,
    });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });

const ask = async ({ system, history }: Harness, { key, accountId, keyId }: Customer): Promise<void> => {
  const headers = { authorization: `Bearer ${key}` };
  const url = `${system.gateway}/v1/video?video_id=manualEn001`;
  await makeCall(history, { kind: 'revoked', url, about: keyId, accountId, keyId, headers });
};

const askOn = async (harness: Harness, customer: Customer): Promise<void> => {
  const deadline = harness.history.now() + ASK_FOR_MS;
  while (harness.history.now() < deadline) {
    await ask(harness, customer);
    await sleep(ASK_EVERY_MS);
  }
};

/** At the end of a run: what the last restore brought back may not be admitted either. */
export const askAllRevoked = async (harness: Harness): Promise<void> => {
  for (const customer of harness.customers.all.filter(({ revoked }) => revoked)) await ask(harness, customer);
};

/** Revokes one customer's key, and goes on asking with it until no gateway may know it any more. */
export const revokeOne = async (harness: Harness): Promise<void> => {
  const customer = harness.customers.all.find(({ revoked }) => !revoked);
  if (!customer) return;
  customer.revoked = true;
  if (!(await revoke(harness, customer.keyId))) return;
  harness.history.add({ type: 'revocation', keyId: customer.keyId, at: harness.history.now() });
  await askOn(harness, customer);
};

/** I12: a key that was revoked more than 30 s before admits no request. */
export const checkRevocations = ({ calls, kept }: Pick<History, 'calls' | 'kept'>): Finding[] => {
  const revokedAt = new Map(
    kept.flatMap((each) => (each.type === 'revocation' ? [[each.keyId, each.at] as const] : [])),
  );
  return calls
    .filter(({ keyId, outcome }) => outcome === 'ok' && keyId !== null && revokedAt.has(keyId))
    .filter(({ keyId, at }) => at > (revokedAt.get(String(keyId)) ?? 0) + BOUND_MS)
    .map(({ keyId, at, status }) => ({
      invariant: 'I12',
      subject: `key ${keyId}`,
      what: 'a revoked key',
      expected: 'refused 30 s after its revocation',
      found: `${status} after ${(at - (revokedAt.get(String(keyId)) ?? 0)) / 1_000} s`,
    }));
};
