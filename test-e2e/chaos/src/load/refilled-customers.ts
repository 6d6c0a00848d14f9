import type { CreditBlock } from '@tds/contracts';
import { defaultPrices } from '@tds/simulators/payment';
import type { Harness } from '../harness.ts';
import type { Customer } from './customers.ts';
import { insist } from './insist.ts';
import { keepDoing } from './keep-doing.ts';
import { giveCredits, signUpTrusted } from './rich-customer.ts';
import { bySession } from './transcript-calls.ts';

const EVERY_MS = 2_000;
const BLOCK = 50;
const THRESHOLD = 50;
/** How often the money of a month refills each of them: one comes to that bound soon. */
const CHARGES = [2, 10_000, 10_000];
const [OK, CREATED] = [200, 201];

/** In cents. */
const findPrice = (block: CreditBlock): number =>
  Number(defaultPrices.find(({ lookupKey }) => lookupKey === `credits_${block}`)?.unitAmount);

type Refill = { readonly threshold: number; readonly block: CreditBlock; readonly charges: number };

/** Turns the refill of an account on, which needs a card yet. Its month has money for so many charges. */
export const putRefill = async (
  harness: Pick<Harness, 'history' | 'system'>,
  customer: Customer,
  { threshold, block, charges }: Refill,
): Promise<void> => {
  const body = { threshold, block, monthly_limit: charges * findPrice(block) };
  const url = `${harness.system.gateway}/v1/refill`;
  await insist(harness, { about: 'refill', ...bySession(customer), url, method: 'PUT', body }, OK);
};

/** A person sets up the card of a refill on the page of the processor. */
export const setUpCard = async (
  harness: Pick<Harness, 'history' | 'system'>,
  customer: Customer,
): Promise<void> => {
  const { gateway, payment } = harness.system;
  const asked = { about: 'refill card', ...bySession(customer), body: {} };
  const { json } = await insist(harness, { ...asked, url: `${gateway}/v1/refill/card` }, CREATED);
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
    await keepDoing(traffic.calls.refill, EVERY_MS, isOver);
    // What a row that failed has returned may be spent, and no money of the month is left: its job would wait for the next month.
    for (const { accountId } of refilled) await giveCredits(harness, accountId);
  };
  const running = run();
  return { end: () => running };
};
