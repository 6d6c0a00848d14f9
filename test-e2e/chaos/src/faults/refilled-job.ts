import { giantChannel } from '@tds/simulators/platform';
import { until } from '#support';
import { paidRefills, toAccountId } from '../checks/paid-refills.ts';
import { type Harness, processNamed } from '../harness.ts';
import type { Customer } from '../load/customers.ts';
import { makeCall } from '../load/http-call.ts';
import { putRefill, setUpCard } from '../load/refilled-customers.ts';
import { signUpTrusted } from '../load/rich-customer.ts';
import { by } from '../load/transcript-calls.ts';
import type { Blow, Fault } from './fault.ts';

const VIDEOS = 500;
/** Longer than a source may take to be listed while its job is created: the credits are then no reason to refuse the job. */
const SLOW_MS = 2_500;
const REFILL = { threshold: 5, block: 1_000 } as const;
/** Money for more than the one block that the job needs. */
const CHARGES = 4;
const ACCEPTED = 202;
const SOON = { withinMs: 60_000, everyMs: 250 };
const END = { withinMs: 240_000, everyMs: 1_000 };

const JOB = `SELECT status::text, pause_reason::text AS reason FROM jobs WHERE account_id = $1`;
const BOUGHT = 'SELECT purchased FROM accounts WHERE account_id = $1';

const billing = ['billing-1', 'billing-2'];
const orchestrators = ['bulk-orchestrator-1', 'bulk-orchestrator-2'];
const LEDGER = 'credits-ledger-1';

const armAll = (harness: Harness, names: readonly string[], point: string): void => {
  for (const name of names) processNamed(harness, name).crashNextLifeAt(point);
};

const isReady = async (harness: Harness, names: readonly string[]): Promise<boolean> =>
  (await Promise.all(names.map((name) => processNamed(harness, name).untilReady(SOON.withinMs)))).every(
    Boolean,
  );

/** A database may be what a process that dies has locked: then the next look finds it. */
const readJob = async ({ evidence }: Harness, { accountId }: Customer) => {
  const rows = await evidence.rows<{ status: string; reason: string | null }>('bulk-orchestrator', JOB, [
    accountId,
  ]);
  return rows[0];
};

/** A job of more than the free credits, listed after it was accepted. */
const begin = async ({ history, system: { gateway, simulator } }: Harness, customer: Customer) => {
  simulator.setLatency(SLOW_MS);
  const { headers, ...who } = by(customer);
  const key = `refilled long job ${customer.accountId}`;
  const { record } = await makeCall(history, {
    ...{ kind: 'job', url: `${gateway}/v1/jobs`, about: key, ...who },
    body: { input: giantChannel.id, newest: VIDEOS },
    headers: { ...headers, 'idempotency-key': key },
    shown: (answer) => answer.job,
  });
  simulator.setLatency(0);
  return record.status === ACCEPTED;
};

/** Resolves to true once a job has spent the free credits, and waits for others. */
const beginUnpayable = async (harness: Harness, customer: Customer): Promise<boolean> => {
  await putRefill(harness, customer, { ...REFILL, charges: CHARGES });
  if (!(await until(() => begin(harness, customer), { ...SOON, everyMs: 2_000 }))) return false;
  return until(async () => (await readJob(harness, customer))?.reason === 'insufficient_credits', SOON);
};

const hasBought = async ({ evidence }: Harness, { accountId }: Customer): Promise<boolean> => {
  const [account] = await evidence.rows<{ purchased: number }>('credits-ledger', BOUGHT, [accountId]);
  return (account?.purchased ?? 0) > 0;
};

/** Billing dies when it has charged the card, the ledger then, and it and the orchestrator again in the rows. */
const killOnTheWay = async (harness: Harness): Promise<Blow> => {
  const { system, refills } = harness;
  const customer = await signUpTrusted(harness);
  if (!(await beginUnpayable(harness, customer))) return { happened: false };
  armAll(harness, billing, 'refill-charged');
  if (!(await isReady(harness, billing))) return { happened: false };
  refills.set(customer.accountId, { least: 0, most: 1 });
  await setUpCard(harness, customer);
  refills.set(customer.accountId, { least: 1, most: 1 });
  const isCharged = await until(
    async () =>
      paidRefills(system.payment.intents()).some((intent) => toAccountId(intent) === customer.accountId),
    SOON,
  );
  await processNamed(harness, LEDGER).signal('SIGKILL');
  const isGranted = await until(() => hasBought(harness, customer), END);
  armAll(harness, orchestrators, 'job-changes-saved');
  armAll(harness, [LEDGER], 'settle-committed');
  const isComplete = await until(async () => (await readJob(harness, customer))?.status === 'completed', END);
  return { happened: isCharged && isGranted && isComplete };
};

export const refilledJob: Fault = {
  ...{ id: 'R2', name: 'kill-refilled-job', kills: 9, holdMs: 0, quickHoldMs: 0 },
  does: 'kill -9 by themselves of billing, the ledger and the orchestrator while a job of 500 goes on by a refill',
  ofProcesses: true,
  cachedReads: true,
  needs: 'everything',
  targets: ['a job of 500'],
  run: killOnTheWay,
};
