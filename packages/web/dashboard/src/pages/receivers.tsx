import { useQuery } from '@tanstack/react-query';
import type { Answer, Receiver } from '@transcript-delivery/sdk';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { receiversQuery } from '../api/queries.ts';
import { send } from '../api/send.ts';
import { useChange } from '../api/use-change.ts';
import { Confirm } from '../parts/dialog.tsx';
import { Failure } from '../parts/failure.tsx';
import { Box, Page } from '../parts/page.tsx';
import { SigningSecret } from '../parts/signing-secret.tsx';
import { State } from '../parts/state.tsx';
import { List } from '../parts/table.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Time } from '../parts/time.tsx';
import { accessTabs } from '../views.ts';
import { formNames, ReceiverForm } from './receiver-form.tsx';

const WEEK_MS = 604_800_000;

const whyDisabled: Readonly<Record<NonNullable<Receiver['disabled_reason']>, string>> = {
  failing: 'Every attempt has failed for days. Repair it, then save it.',
  gone: 'The chat service has ended this address. Make a new one there, and save it here.',
  secret_lost: 'A fault of ours has lost its secret. Save its address again.',
};

const Note = ({ receiver }: { receiver: Receiver }) => {
  const { disabled_reason: reason, failing_since: since } = receiver;
  if (reason) return <span className="note">{whyDisabled[reason]}</span>;
  if (!since) return null;
  return (
    <span className="note">
      Failing since <Time at={since} />
    </span>
  );
};

const useTest = () => {
  const [, navigate] = useLocation();
  return useChange({
    change: (id: string) => send<Answer<'testReceiver', 202>>('POST', `/v1/receivers/${id}/test`),
    reads: [['deliveries']],
    onDone: ({ delivery }) => navigate(`/webhooks/${delivery.id}`),
  });
};

const useReplay = () =>
  useChange({
    change: (id: string) => {
      const body = { since: new Date(Date.now() - WEEK_MS).toISOString() };
      return send<Answer<'replayReceiver', 202>>('POST', `/v1/receivers/${id}/replay`, { body });
    },
    reads: [['deliveries']],
  });

type RowProps = {
  readonly receiver: Receiver;
  readonly isPending: boolean;
  readonly onAct: (act: 'change' | 'delete' | 'replay' | 'test') => void;
};

const Row = ({ receiver, isPending, onAct }: RowProps) => {
  const { name, form, url, events, enabled } = receiver;
  const of = <span className="hidden"> {name}</span>;
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>
        <span className="note">
          {formNames[form]}, {url}
        </span>
      </th>
      <td>
        <State of={enabled ? 'enabled' : 'disabled'} />
        <Note receiver={receiver} />
      </td>
      <td className="wide">{events.join(', ')}</td>
      <td className="cell-actions">
        {enabled && (
          <>
            <button className="button small" type="button" disabled={isPending} onClick={() => onAct('test')}>
              Test{of}
            </button>
            <button className="button small" type="button" disabled={isPending} onClick={() => onAct('replay')}>
              Send again{of}
            </button>
          </>
        )}
        <button className="button small" type="button" onClick={() => onAct('change')}>
          Change{of}
        </button>
        <button className="button small danger" type="button" onClick={() => onAct('delete')}>
          Delete{of}
        </button>
      </td>
    </tr>
  );
};

const End = ({ receiver, onClose }: { receiver: Receiver; onClose: () => void }) => {
  const end = useChange({
    change: () => send('DELETE', `/v1/receivers/${receiver.id}`),
    reads: [receiversQuery.queryKey],
    onDone: onClose,
  });
  return (
    <Confirm
      title="Delete the receiver?"
      onClose={onClose}
      isPending={end.isPending}
      actions={[{ name: 'Delete', act: () => end.mutate(), isDanger: true }]}
    >
      <Failure error={end.error} />
      <p>
        Nothing more is sent to <bdi>{receiver.name}</bdi>, also not what waits for it.
      </p>
    </Confirm>
  );
};

type Open = { readonly act: 'change' | 'delete'; readonly receiver: Receiver } | { readonly act: 'create' };

/** Further servers and chats that get events of the account. */
export const Receivers = () => {
  const query = useQuery(receiversQuery);
  const [open, setOpen] = useState<Open | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const [test, replay] = [useTest(), useReplay()];
  const close = () => setOpen(null);
  const actOn = (receiver: Receiver) => (act: Parameters<RowProps['onAct']>[0]) => {
    if (act === 'test') test.mutate(receiver.id);
    else if (act === 'replay') replay.mutate(receiver.id);
    else setOpen({ act, receiver });
  };
  return (
    <Page
      title="Receivers"
      tabs={<Tabs label="Access" tabs={accessTabs} />}
      note="Events also go to further servers, and to channels of Slack, Discord and Teams."
      actions={
        <button className="button first" type="button" onClick={() => setOpen({ act: 'create' })}>
          New receiver
        </button>
      }
    >
      <Failure error={test.error ?? replay.error} />
      {replay.data && (
        <p role="status">
          {replay.data.replayed === 0
            ? 'Nothing of the last seven days has failed.'
            : `${replay.data.replayed} of the last seven days are sent again.${replay.data.is_complete ? '' : ' There are more: send again.'}`}
        </p>
      )}
      <Box flush>
        <List
          label="Receivers"
          query={query}
          empty="None. A receiver gets the events that you choose, such as words that a monitor has found."
          columns={[
            { name: 'Receiver' },
            { name: 'State' },
            { name: 'Events', isWide: true },
            { name: 'Actions', kind: 'actions' },
          ]}
          rows={query.data?.receivers.map((receiver) => (
            <Row
              key={receiver.id}
              receiver={receiver}
              isPending={test.isPending || replay.isPending}
              onAct={actOn(receiver)}
            />
          ))}
        />
      </Box>
      {open?.act === 'delete' && <End receiver={open.receiver} onClose={close} />}
      {(open?.act === 'create' || open?.act === 'change') && (
        <ReceiverForm
          receiver={open.act === 'change' ? open.receiver : null}
          onClose={close}
          onSecret={setSecret}
        />
      )}
      {secret !== null && <SigningSecret secret={secret} onClose={() => setSecret(null)} />}
    </Page>
  );
};
