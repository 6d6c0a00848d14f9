import { expecting } from '@tds/base';
import { type RefillPause, SECOND_MS } from '@tds/contracts';
import Stripe from 'stripe';
import { pauseOf } from '../domain/refill.ts';
import { ask, isRefusal } from './processor-client.ts';
import * as wire from './wire.ts';

const CARD_ONLY = { allowed_payment_method_types: ['card' as const] };
const INTENTS_PER_PAGE = 100;

export type CardPage = {
  readonly accountId: string;
  readonly personId: string;
  readonly customerId: string;
  readonly currency: string;
  readonly expiresAt: Date;
};

type RefillCharge = {
  readonly id: string;
  readonly accountId: string;
  readonly personId: string | null;
  readonly block: number;
  readonly amount: number;
  readonly currency: string;
  readonly customerId: string | null;
  readonly paymentMethodId: string;
};

/** Marks the payments of refills among those of a customer. */
const MARK = 'true';
export const isRefillIntent = ({ metadata }: wire.PaymentIntent): boolean => metadata?.refill === MARK;

const toChargeParams = (charge: RefillCharge): Stripe.PaymentIntentCreateParams => {
  const { id, accountId, personId, block, amount, currency, customerId, paymentMethodId } = charge;
  return {
    ...{ amount, currency, payment_method: paymentMethodId, ...CARD_ONLY },
    ...(customerId !== null && { customer: customerId }),
    // Without the last one some issuers leave a payment that waits for its holder, which is no answer.
    ...{ confirm: true, off_session: true, error_on_requires_action: true },
    metadata: {
      ...{ purchase_id: id, block: String(block), account_id: accountId, refill: MARK },
      ...(personId !== null && { person_id: personId }),
    },
  };
};

/** The pause that a rejected charge leads to. The processor rejects a card that was removed as an invalid parameter. */
const refusalOf = (error: Stripe.errors.StripeError): { readonly refused: RefillPause } => {
  if (error instanceof Stripe.errors.StripeCardError) return { refused: pauseOf(error) };
  const isOfCard = error.param === 'payment_method' || error.param === 'customer';
  return { refused: isOfCard ? 'card_removed' : 'processor_failed' };
};

/** Requests about the payments of refills. */
const createRefillCalls = (stripe: Stripe) => {
  const listPage = (customer: string, since: Date, after: string | null) =>
    ask(
      stripe.paymentIntents.list({
        ...{ customer, limit: INTENTS_PER_PAGE, created: { gte: Math.floor(since.getTime() / SECOND_MS) } },
        ...(after !== null && { starting_after: after }),
      }),
      wire.intentPage,
    );
  return {
    /** All payments of refills of a customer since then, newest first. */
    listRefillIntents: async (customerId: string, since: Date): Promise<wire.PaymentIntent[]> => {
      const intents: wire.PaymentIntent[] = [];
      for (let after: string | null = null; ; ) {
        const { data, has_more: hasMore }: { data: wire.PaymentIntent[]; has_more: boolean } = await listPage(
          customerId,
          since,
          after,
        );
        intents.push(...data.filter(isRefillIntent));
        after = data.at(-1)?.id ?? null;
        if (!hasMore || after === null) return intents;
      }
    },
    /** Null if the processor has no such payment. */
    readIntent: (id: string): Promise<wire.PaymentIntent | null> => {
      const reading = stripe.paymentIntents.retrieve(id);
      return ask(reading.catch(expecting(isRefusal, null)), wire.paymentIntent.nullable());
    },
    /** Charges a card without its holder, once per refill, whose id is the idempotency key. */
    chargeCard: (charge: RefillCharge): Promise<wire.ChargeAnswer> => {
      const options = { idempotencyKey: `refill:${charge.id}` };
      const charging = stripe.paymentIntents.create(toChargeParams(charge), options).catch((error: unknown) => {
        if (isRefusal(error)) return refusalOf(error);
        throw error;
      });
      return ask(charging, wire.chargeAnswer);
    },
  };
};

/** Requests about the cards of refills, and their payments. */
export const createCardCalls = (stripe: Stripe, publicUrl: string) => {
  const returnUrl = `${publicUrl}/dashboard/billing`;
  return {
    /** A page where a person sets up a card. */
    openCardPage: ({ accountId, personId, customerId, currency, expiresAt }: CardPage) => {
      const metadata = { account_id: accountId, person_id: personId };
      return ask(
        stripe.checkout.sessions.create({
          ...{ mode: 'setup', customer: customerId, currency, ...CARD_ONLY },
          ...{ client_reference_id: accountId, metadata, setup_intent_data: { metadata } },
          ...{ success_url: returnUrl, cancel_url: returnUrl },
          expires_at: Math.floor(expiresAt.getTime() / SECOND_MS),
        }),
        wire.page,
      );
    },
    /** Null if the processor has no such session. */
    readSetup: (sessionId: string): Promise<wire.SetupSession | null> => {
      const expand = { expand: ['setup_intent.payment_method'] };
      const reading = stripe.checkout.sessions.retrieve(sessionId, expand);
      return ask(reading.catch(expecting(isRefusal, null)), wire.setupSession.nullable());
    },
    /** Removes a card from its customer. One that is removed already stays so. */
    detachCard: async (paymentMethodId: string): Promise<void> => {
      const detaching = stripe.paymentMethods.detach(paymentMethodId);
      await ask(detaching.catch(expecting(isRefusal, null)), wire.card.nullable());
    },
    ...createRefillCalls(stripe),
  };
};
