import { CREDIT_BLOCKS } from '@tds/contracts';
import { newestCode } from '@tds/simulators/mail';
import { createRandom, type HurtSystem, type Random, sleep } from '#support';
import { keepDoing } from './keep-doing.ts';

const EVERY_MS = 700;
const STEP_MS = 100;
const MAIL_WITHIN_MS = 10_000;
const CREATED = 201;

type Payment = HurtSystem['payment'];

/** What the processor's deliveries meet. */
const weather: readonly ((payment: Payment) => void)[] = [
  () => {},
  (payment) => payment.fault({ kind: 'lose', times: 2 }),
  (payment) => payment.fault({ kind: 'repeat', copies: 3, times: 3 }),
  (payment) => payment.fault({ kind: 'late', delayMs: 2_000, times: 3 }),
];

/** Less than the cheapest block costs. */
const PART_CENTS = 25;

/** What becomes of a purchase at the processor. */
const fates: readonly ((payment: Payment, paymentIntentId: string) => void)[] = [
  () => {},
  () => {},
  (payment, intent) => void payment.refund(intent),
  (payment, intent) => void payment.refund(intent, PART_CENTS),
  (payment, intent) => void payment.dispute(intent),
  (payment, intent) => void payment.closeDispute(payment.dispute(intent).id, 'won'),
  (payment, intent) => void payment.closeDispute(payment.dispute(intent).id, 'lost'),
];

type Shop = Pick<HurtSystem, 'gateway' | 'payment' | 'mail'>;

const post = async (
  url: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Response | null> => {
  const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
  return fetch(url, { ...init, body: JSON.stringify(body) }).catch(() => null);
};

/** The key of a new account; null if it could not be opened just now. */
const signUp = async ({ gateway, mail }: Shop, email: string): Promise<string | null> => {
  await post(`${gateway}/v1/auth/code`, { email });
  for (let waited = 0; waited < MAIL_WITHIN_MS; waited += STEP_MS) {
    const code = await newestCode(mail.url, email).catch(() => null);
    if (code === null) {
      await sleep(STEP_MS);
      continue;
    }
    const answer = await post(`${gateway}/v1/auth/verify`, { email, code, accept_terms: true });
    if (!answer?.ok) return null;
    return ((await answer.json()) as { key: { secret: string } | null }).key?.secret ?? null;
  }
  return null;
};

/** Null if it could not be opened just now. */
const openCheckout = async ({ gateway }: Shop, random: Random, key: string): Promise<string | null> => {
  const body = { block: random.pick(CREDIT_BLOCKS) };
  const answer = await post(`${gateway}/v1/checkout`, body, { authorization: `Bearer ${key}` });
  if (answer?.status !== CREATED) return null;
  return ((await answer.json()) as { purchase_id: string }).purchase_id;
};

/**
 * New accounts buy, each once, while the system is hurt, and the processor has troubles and customers of its own. What
 * becomes of it is looked for in the end (`checks/paid-purchases.ts`).
 */
export const keepBuying = (shop: Shop, seed: number, isOver: () => boolean): { end(): Promise<void> } => {
  const { payment } = shop;
  const random = createRandom(seed);
  const buy = async (name: number): Promise<void> => {
    const key = await signUp(shop, `buyer-${seed}-${name}@example.com`);
    const purchaseId = key === null ? null : await openCheckout(shop, random, key);
    const session = payment.sessions().find((first) => first.client_reference_id === purchaseId);
    if (purchaseId === null || !session) return;
    random.pick(weather)(payment);
    const { payment_intent: paid } = payment.pay(session.id);
    random.pick(fates)(payment, String(paid));
  };
  const run = async (): Promise<void> => {
    await keepDoing(buy, EVERY_MS, isOver);
    payment.clearFaults();
  };
  const running = run();
  return { end: () => running };
};
