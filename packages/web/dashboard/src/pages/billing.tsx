import { useQuery } from '@tanstack/react-query';
import { money } from '@tds/contracts/money';
import type { Answer, Purchase } from '@transcript-delivery/sdk';
import { type FormEvent, useState } from 'react';
import { accountQuery, pricesQuery, purchasesQuery } from '../api/queries.ts';
import { get, send } from '../api/send.ts';
import { useChange } from '../api/use-change.ts';
import { useRole } from '../api/use-role.ts';
import { isNewAccount, NEW_ACCOUNT_FETCHES } from '../job-plan.ts';
import { By } from '../parts/by.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Failure } from '../parts/failure.tsx';
import { Field, readText } from '../parts/field.tsx';
import { Box, Figure, Page } from '../parts/page.tsx';
import { ReadState } from '../parts/read-state.tsx';
import { State } from '../parts/state.tsx';
import { List, Pager } from '../parts/table.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Moment, Time } from '../parts/time.tsx';
import { useQueryState } from '../parts/use-query-state.ts';
import { billingTabs } from '../views.ts';
import { credits, isWebAddress, number, purchaseWord } from '../words.ts';
import { LowBalance } from './mail-settings.tsx';
import { Refilling } from './refill.tsx';

const reads = [['purchases'], accountQuery.queryKey];
const MAX_REASON_LENGTH = 500;

/** Leads to a page of the payment processor. */
const leave = (address: string): void => {
  if (isWebAddress(address)) location.assign(address);
};

const Balance = () => {
  const { data } = useQuery(accountQuery);
  if (!data) return null;
  const { free, purchased, reserved, debt, free_resets_at } = data.credits;
  return (
    <dl className="figures-row">
      <Figure
        name="Free credits"
        value={number(free)}
        note={
          <>
            Spent first. Reset to 100 <Time at={free_resets_at} />
          </>
        }
      />
      <Figure name="Bought credits" value={number(purchased)} note="They do not expire" />
      <Figure name="Reserved" value={number(reserved)} note="For running jobs" />
      {debt > 0 && <Figure name="Owed" value={number(debt)} note="The next block repays them" />}
    </dl>
  );
};

const Buy = () => {
  const prices = useQuery(pricesQuery);
  const { data } = useQuery(accountQuery);
  const [once] = useState(() => crypto.randomUUID());
  const buy = useChange({
    change: (block: number) =>
      send<Answer<'checkout', 201>>('POST', '/v1/checkout', { body: { block }, once: `${once}-${block}` }),
    reads,
    onDone: ({ checkout_url }) => leave(checkout_url),
  });
  return (
    <Box title="Buy credits">
      <p className="soft">
        A new transcript costs 1 credit. You pay once, on the page of the payment processor. An untouched block
        can be given back.
        {data &&
          isNewAccount(data.account, Date.now()) &&
          ` A new account fetches ${NEW_ACCOUNT_FETCHES} new transcripts a day for two days, also with bought credits.`}
      </p>
      <ReadState of={prices} />
      <Failure error={buy.error} />
      <ul className="blocks">
        {prices.data?.blocks.map(({ block, amount }) => (
          <li key={block}>
            <button className="block" type="button" disabled={buy.isPending} onClick={() => buy.mutate(block)}>
              <b>{credits(block)}</b>
              <span>{money(amount, prices.data.currency)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Box>
  );
};

const Refund = ({ purchase, onClose }: { purchase: Purchase; onClose: () => void }) => {
  const refund = useChange({
    change: (reason: string) =>
      send('POST', '/v1/checkout?action=refund', {
        body: { purchase_id: purchase.id, ...(reason && { reason }) },
      }),
    reads,
    onDone: onClose,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    refund.mutate(readText(new FormData(event.currentTarget), 'reason'));
  };
  return (
    <Dialog title={`Give ${credits(purchase.block)} back?`} onClose={onClose}>
      <form onSubmit={submit}>
        <Failure error={refund.error} />
        <p>
          The credits are taken back now, and {money(purchase.amount, purchase.currency)} are returned to the
          card within days.
        </p>
        <Field label="Reason" name="reason" maxLength={MAX_REASON_LENGTH} placeholder="Optional" />
        <div className="row end">
          <button className="button" type="button" onClick={onClose}>
            Keep
          </button>
          <button className="button danger" type="submit" disabled={refund.isPending}>
            Refund
          </button>
        </div>
      </form>
    </Dialog>
  );
};

const Accept = ({ purchase }: { purchase: Purchase }) => {
  const accept = useChange({
    change: () => send('POST', `/v1/billing/purchases/${purchase.id}/accept`),
    reads,
  });
  return (
    <>
      <button
        className="button small"
        type="button"
        disabled={accept.isPending}
        onClick={() => accept.mutate()}
      >
        Accept
      </button>
      <Failure error={accept.error} />
    </>
  );
};

const Row = ({ purchase, onRefund }: { purchase: Purchase; onRefund: () => void }) => {
  const { isPayer } = useRole();
  return (
    <tr>
      <th scope="row">
        {credits(purchase.block)}
        <span className="note">{money(purchase.amount, purchase.currency)}</span>
      </th>
      <td>
        <State of={purchaseWord(purchase.status)} />
        {purchase.refund && <span className="note">Refund {purchase.refund.status}</span>}
        {purchase.bought_by === 'stranger' && <span className="note">Bought by another person for you</span>}
        {purchase.automatic && <span className="note">Bought by itself</span>}
      </td>
      <td className="number">{number(purchase.credits_left)}</td>
      <td>
        <Moment at={purchase.created_at} />
        <By id={purchase.person_id} />
      </td>
      <td className="cell-actions">
        <span className="row end">
          {purchase.receipt_url && isWebAddress(purchase.receipt_url) && (
            <a className="button small" href={purchase.receipt_url} target="_blank" rel="noopener noreferrer">
              Receipt
            </a>
          )}
          {purchase.status === 'waiting' && isPayer && <Accept purchase={purchase} />}
          {purchase.refundable && isPayer && (
            <button className="button small" type="button" onClick={onRefund}>
              Refund
            </button>
          )}
        </span>
      </td>
    </tr>
  );
};

const Purchases = () => {
  const { set, offset } = useQueryState();
  const purchases = useQuery(purchasesQuery(offset));
  const [refunded, setRefunded] = useState<Purchase | null>(null);
  return (
    <Box title="Purchases" flush>
      <List
        label="Purchases"
        query={purchases}
        empty="You have bought nothing yet."
        columns={[
          { name: 'Block' },
          { name: 'State' },
          { name: 'Left', kind: 'number' },
          { name: 'Bought' },
          { name: 'Actions', kind: 'actions' },
        ]}
        rows={purchases.data?.purchases.map((purchase) => (
          <Row key={purchase.id} purchase={purchase} onRefund={() => setRefunded(purchase)} />
        ))}
      />
      <Pager page={purchases.data} onOffset={(next) => set({ offset: next })} />
      {refunded && <Refund purchase={refunded} onClose={() => setRefunded(null)} />}
    </Box>
  );
};

const Portal = () => {
  const portal = useChange({
    change: () => get<Answer<'openPortal'>>('/v1/billing/portal'),
    reads: [],
    onDone: ({ url }) => leave(url),
  });
  return (
    <>
      <button className="button" type="button" disabled={portal.isPending} onClick={() => portal.mutate()}>
        Invoices and cards
      </button>
      <Failure error={portal.error} />
    </>
  );
};

const LowBalanceMail = () => {
  const { data } = useQuery(accountQuery);
  return data ? <LowBalance mail={data.mail} /> : null;
};

export const Billing = () => {
  const { isPayer } = useRole();
  return (
    <Page title="Billing" tabs={<Tabs label="Billing" tabs={billingTabs} />} actions={isPayer && <Portal />}>
      <Balance />
      {isPayer && <Buy />}
      {isPayer && <Refilling />}
      {isPayer && <LowBalanceMail />}
      <Purchases />
    </Page>
  );
};
