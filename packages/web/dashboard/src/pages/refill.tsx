import { useQuery } from '@tanstack/react-query';
import { money, smallestUnits } from '@tds/contracts/money';
import type { Answer } from '@transcript-delivery/sdk';
import type { FormEvent } from 'react';
import { pricesQuery, refillQuery } from '../api/queries.ts';
import { send } from '../api/send.ts';
import { useChange } from '../api/use-change.ts';
import { By } from '../parts/by.tsx';
import { Failure } from '../parts/failure.tsx';
import { Field, readText, Select } from '../parts/field.tsx';
import { Box } from '../parts/page.tsx';
import { ReadState } from '../parts/read-state.tsx';
import { credits, isWebAddress } from '../words.ts';

type Refill = Answer<'getRefill'>['refill'];
type Prices = Answer<'listPrices'>;

const states: Readonly<Record<Refill['status'], string>> = {
  off: 'Off: nothing is bought by itself.',
  card_missing: 'It waits for a card.',
  on: 'On.',
  paused: 'Paused: nothing is bought before you act.',
};

const reasons: Readonly<Record<NonNullable<Refill['reason']>, string>> = {
  authentication_required:
    'The bank wants the holder of the card to confirm the payment. Set up the card again.',
  card_declined: 'The card was declined.',
  card_expired: 'The card has expired.',
  card_removed: 'The card was removed from the payment processor.',
  price_changed: 'The block costs another price now. Save to agree to it.',
  processor_failed: 'The payment processor gave no clear answer for a day. Compare your purchases, then save.',
  restored: 'We had to go back to an earlier state. Look whether these numbers are yours, then save.',
  dispute: 'It has ended, because a payment is disputed.',
  account_frozen: 'It has ended, because the account was frozen.',
  account_closed: 'It has ended with the account.',
  payer_removed: 'It has ended, because the person whose card paid no longer pays for the account.',
};

const leaveFor = (url: string): void => {
  if (isWebAddress(url)) location.assign(url);
};
const openCard = () => send<Answer<'openCardPage', 201>>('POST', '/v1/refill/card');

const Now = ({ refill }: { refill: Refill }) => {
  const { status, reason, currency, used_this_month: used, monthly_limit: limit, person_id: payer } = refill;
  return (
    <p role="status">
      {states[status]} {reason && reasons[reason]}{' '}
      {(status === 'on' || status === 'paused') && limit !== null && (
        <>
          {money(used, currency)} of {money(limit, currency)} are used in this month (UTC). <By id={payer} />
        </>
      )}
    </p>
  );
};

const Wishes = ({ refill, prices }: { refill: Refill; prices: Prices }) => {
  const { currency } = prices;
  const units = smallestUnits(currency);
  const { block, threshold, monthly_limit: limit } = refill;
  return (
    <div className="columns">
      <Select
        label="Buy"
        name="block"
        defaultValue={String(block ?? prices.blocks[0]?.block)}
        options={prices.blocks.map(
          (price) =>
            [String(price.block), `${credits(price.block)}, ${money(price.amount, currency)}`] as const,
        )}
      />
      <Field
        label="When fewer are left than"
        name="threshold"
        type="number"
        min={1}
        required
        defaultValue={threshold ?? 5}
      />
      <Field
        label={`At most in a month, in ${currency.toUpperCase()}`}
        name="limit"
        type="number"
        min={0}
        step={1 / units}
        required
        defaultValue={limit === null ? '' : limit / units}
      />
    </div>
  );
};

const RefillForm = ({ refill, prices }: { refill: Refill; prices: Prices }) => {
  const put = useChange({
    change: async (form: FormData) => {
      const body = {
        threshold: Number(readText(form, 'threshold')),
        block: Number(readText(form, 'block')),
        monthly_limit: Math.round(Number(readText(form, 'limit')) * smallestUnits(prices.currency)),
      };
      const saved = await send<Answer<'putRefill'>>('PUT', '/v1/refill', { body });
      return saved.refill.status === 'card_missing' ? openCard() : null;
    },
    reads: [refillQuery.queryKey],
    onDone: (page) => page && leaveFor(page.url),
  });
  const card = useChange({ change: openCard, reads: [], onDone: ({ url }) => leaveFor(url) });
  const end = useChange({ change: () => send('DELETE', '/v1/refill'), reads: [refillQuery.queryKey] });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    put.mutate(new FormData(event.currentTarget));
  };
  const isPending = put.isPending || card.isPending || end.isPending;
  const hasCard = refill.status === 'on' || refill.status === 'paused';
  return (
    <form onSubmit={submit}>
      <Wishes refill={refill} prices={prices} />
      <Failure error={put.error ?? card.error ?? end.error} />
      <p className="row">
        <button className="button" type="submit" disabled={isPending}>
          {hasCard ? 'Save' : 'Save and set up a card'}
        </button>
        {hasCard && (
          <button className="button" type="button" disabled={isPending} onClick={() => card.mutate(undefined)}>
            Set up another card
          </button>
        )}
        {refill.status !== 'off' && (
          <button className="button" type="button" disabled={isPending} onClick={() => end.mutate(undefined)}>
            Turn off
          </button>
        )}
      </p>
    </form>
  );
};

/** Credits that are bought by themselves. */
export const Refilling = () => {
  const refill = useQuery(refillQuery);
  const prices = useQuery(pricesQuery);
  return (
    <Box title="Buy by itself">
      <p className="soft">
        Below a number of credits a block is bought with a saved card, at most so much in a month, and jobs that
        wait for credits go on. Owners and billing are mailed each time. The card is kept by the payment
        processor alone.
      </p>
      <ReadState of={refill} />
      {refill.data && (
        <>
          <Now refill={refill.data.refill} />
          {prices.data && <RefillForm refill={refill.data.refill} prices={prices.data} />}
        </>
      )}
    </Box>
  );
};
