import { useQuery } from '@tanstack/react-query';
import { money } from '@tds/contracts/money';
import type { Answer } from '@transcript-delivery/sdk';
import { type FormEvent, useState } from 'react';
import { purchasesQuery } from '../api/queries.ts';
import { send } from '../api/send.ts';
import { useChange } from '../api/use-change.ts';
import { usePeople } from '../api/use-people.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Failure } from '../parts/failure.tsx';
import { Field, readText } from '../parts/field.tsx';
import { leaveSession } from '../session.ts';
import { credits } from '../words.ts';

/** The blocks whose money closing the account gives back now, in words; undefined until they are known. */
const useRefundedBlocks = (): string | undefined => {
  const { data } = useQuery(purchasesQuery(0));
  const blocks = data?.purchases.filter(({ refundable }) => refundable);
  if (!blocks || data?.has_more) return undefined;
  return (
    blocks.map((one) => `${credits(one.block)} (${money(one.amount, one.currency)})`).join(', ') || 'nothing'
  );
};

export const CloseAccount = ({ email, onClose }: { email: string; onClose: () => void }) => {
  const [typed, setTyped] = useState('');
  const refunded = useRefundedBlocks();
  const { people } = usePeople();
  const close = useChange({
    change: (confirm: string) =>
      send<Answer<'deleteFromAccount'>>('DELETE', '/v1/account?resource=account', { body: { confirm } }),
    reads: [],
    onDone: () => leaveSession('/'),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    close.mutate(readText(new FormData(event.currentTarget), 'confirm'));
  };
  return (
    <Dialog title="Close the account for good?" onClose={onClose}>
      <form onSubmit={submit}>
        <Failure error={close.error} />
        <p>All keys and sessions end, and the address cannot sign up again.</p>
        {people.length > 1 && <p>It ends for all {people.length} people in it. The others may sign up anew.</p>}
        <p>
          Each block of which nothing is used is refunded to the card that paid it; all other credits are lost.
          A block counts as used if one of its credits is used, or if its money was refunded in part or is held
          by a bank.
        </p>
        {refunded && <p>Refunded now: {refunded}.</p>}
        <Field
          label={`Type ${email} to confirm`}
          name="confirm"
          required
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <div className="row end">
          <button className="button" type="button" onClick={onClose}>
            Keep
          </button>
          <button className="button danger" type="submit" disabled={close.isPending || typed.trim() !== email}>
            Close the account
          </button>
        </div>
      </form>
    </Dialog>
  );
};
