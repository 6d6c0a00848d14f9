import { CREDIT_BLOCKS } from '@tds/contracts';
import { createRandom, type HurtSystem, type Random, sleep } from '@tds/e2e-support';

const EVERY_MS = 700;
const STEP_MS = 100;
const CREATED = 201;

type Payment = HurtSystem['payment'];

/** What the processor's deliveries meet. */
const weather: readonly ((payment: Payment) => void)[] = [
  () => {},
  (payment) => payment.fault({ kind: 'lose', times: 2 }),
  (payment) => payment.fault({ kind: 'repeat', copies: 3, times: 3 }),
  (payment) => payment.fault({ kind: 'late', delayMs: 2_000, times: 3 }),
];

/** What becomes of a purchase at the processor. */
const fates: readonly ((payment: Payment, paymentIntentId: string) => void)[] = [
  () => {},
  () => {},
  (payment, intent) => void payment.refund(intent),
  (payment, intent) => void payment.refund(intent, 100),
  (payment, intent) => void payment.dispute(intent),
  (payment, intent) => void payment.closeDispute(payment.dispute(intent).id, 'won'),
  (payment, intent) => void payment.closeDispute(payment.dispute(intent).id, 'lost'),
];

/** Null where it could not be opened just now. */
const openCheckout = async (gateway: string, random: Random, email: string): Promise<string | null> => {
  const answer = await fetch(`${gateway}/v1/checkout`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ block: random.pick(CREDIT_BLOCKS), email }),
  }).catch(() => null);
  if (answer?.status !== CREATED) return null;
  return ((await answer.json()) as { purchase_id: string }).purchase_id;
};

/**
 * Strangers buy by their addresses, each once, while the system is hurt, and the processor has troubles and customers of its own. What
 * becomes of it is looked for in the end (`checks/paid-purchases.ts`).
 */
export const keepBuying = (
  { gateway, payment }: Pick<HurtSystem, 'gateway' | 'payment'>,
  seed: number,
  isOver: () => boolean,
): { end(): Promise<void> } => {
  const random = createRandom(seed);
  const buy = async (name: number): Promise<void> => {
    const purchaseId = await openCheckout(gateway, random, `buyer-${seed}-${name}@example.com`);
    const session = payment.sessions().find((one) => one.client_reference_id === purchaseId);
    if (purchaseId === null || !session) return;
    random.pick(weather)(payment);
    const { payment_intent: paid } = payment.pay(session.id);
    random.pick(fates)(payment, String(paid));
  };
  const run = async (): Promise<void> => {
    for (let name = 0; !isOver(); name += 1) {
      await buy(name);
      for (let waited = 0; waited < EVERY_MS && !isOver(); waited += STEP_MS) await sleep(STEP_MS);
    }
    payment.clearFaults();
  };
  const running = run();
  return { end: () => running };
};
