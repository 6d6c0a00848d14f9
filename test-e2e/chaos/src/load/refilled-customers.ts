import type { CreditBlock } from '@tds/contracts';
import { defaultPrices } from '@tds/simulators/payment';
import { sleep } from '#support';
import type { Harness } from '../harness.ts';
import type { Customer } from './customers.ts';
import { makeCall } from './http-call.ts';
import { giveCredits, signUpTrusted } from './rich-customer.ts';
import { bySession } from './transcript-calls.ts';

const EVERY_MS = 2_000;
const BLOCK = 50;
const THRESHOLD = 50;
/** How often the money of a month refills each of them: one comes to that bound soon. */
const CHARGES = [2, 10_000, 10_000];
const [OK, CREATED] = [200, 201];

/** In cents. */
const priceOf = (block: CreditBlock): number =>
  Number(defaultPrices.find(({ lookupKey }) => lookupKey === `credits_${block}`)?.unitAmount);

type Refill = { readonly threshold: number; readonly block: CreditBlock; readonly charges: number };

/** Turns the refill of an account on, which needs a card yet. Its month has money for so many charges. */
export const putRefill = async (
  { history, system: { gateway } }: Pick<Harness, 'history' | 'system'>,
  customer: Customer,
  { threshold, block, charges }: Refill,
): Promise<void> => {
  const body = { threshold, block, monthly_limit: charges * priceOf(block) };
  const asked = { kind: 'begin', about: 'refill', ...bySession(customer) } as const;
  const { record } = await makeCall(history, { ...asked, url: `${gateway}/v1/refill`, method: 'PUT', body });
  if (record.status !== OK) throw new Error(`a refill could not be set: ${record.status} ${record.code}`);
};

/** A person sets up the card of a refill on the page of the processor. */
export const setUpCard = async (
  { history, system: { gateway, payment } }: Pick<Harness, 'history' | 'system'>,
  customer: Customer,
): Promise<void> => {
  const asked = { kind: 'begin', about: 'refill card', ...bySession(customer), body: {} } as const;
  const { record, json } = await makeCall(history, { ...asked, url: `${gateway}/v1/refill/card` });
  if (record.status !== CREATED) throw new Error(`no page for a card: ${record.status} ${record.code}`);
  payment.setUpCard(String(String(json?.url).split('/').at(-1)));
};

const openRefilled = async (harness: Harness, charges: number): Promise<Customer> => {
  const customer = await signUpTrusted(harness);
  await putRefill(harness, customer, { threshold: THRESHOLD, block: BLOCK, charges });
  await setUpCard(harness, customer);
  harness.refills.set(customer.accountId, { least: 0, most: charges });
  return customer;
};

/** Customers who spend more than they have, and whose cards are charged for it while the system is hurt. */
export const keepRefilling = async (
  harness: Harness,
  isOver: () => boolean,
): Promise<{ end(): Promise<void> }> => {
  const { traffic, refilled } = harness;
  for (const charges of CHARGES) refilled.push(await openRefilled(harness, charges));
  const run = async (): Promise<void> => {
    while (!isOver()) {
      await traffic.calls.refill();
      for (let waited = 0; waited < EVERY_MS && !isOver(); waited += 100) await sleep(100);
    }
    // What a row that failed has returned may be spent, and no money of the month is left: its job would wait for the next month.
    for (const { accountId } of refilled) await giveCredits(harness, accountId);
  };
  const running = run();
  return { end: () => running };
};
