import { useQuery } from '@tanstack/react-query';
import type { Answer, Body, Webhook } from '@transcript-delivery/sdk';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { webhookQuery } from '../api/queries.ts';
import { send } from '../api/send.ts';
import { useChange } from '../api/use-change.ts';
import { Confirm } from '../parts/dialog.tsx';
import { Failure } from '../parts/failure.tsx';
import { Field, readText } from '../parts/field.tsx';
import { Box, Page } from '../parts/page.tsx';
import { ReadState } from '../parts/read-state.tsx';
import { SigningSecret } from '../parts/signing-secret.tsx';
import { State } from '../parts/state.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Time } from '../parts/time.tsx';
import { accessTabs } from '../views.ts';
import { Deliveries } from './deliveries.tsx';

type PutWebhook = Body<'putWebhook'>;

const settingsOf = ({ url, low_balance_threshold }: Webhook): PutWebhook => ({ url, low_balance_threshold });

const usePut = (onSecret: (secret: string) => void) =>
  useChange({
    change: (body: PutWebhook) => send<Answer<'putWebhook'>>('PUT', '/v1/webhooks', { body }),
    reads: [webhookQuery.queryKey],
    onDone: ({ webhook_secret }) => webhook_secret && onSecret(webhook_secret),
  });

const Settings = ({ webhook, onSecret }: { webhook: Webhook | null; onSecret: (secret: string) => void }) => {
  const put = usePut(onSecret);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const threshold = readText(form, 'threshold');
    put.mutate({
      url: readText(form, 'url'),
      low_balance_threshold: threshold === '' ? null : Number(threshold),
    });
  };
  return (
    <form onSubmit={submit}>
      <Failure error={put.error} />
      <Field
        label="Address of the receiver"
        name="url"
        type="url"
        required
        autoComplete="off"
        placeholder="https://example.com/hooks"
        defaultValue={webhook?.url}
        hint="Public https, without a user name."
      />
      <Field
        label="Low balance"
        name="threshold"
        type="number"
        min={1}
        inputMode="numeric"
        placeholder="No event"
        defaultValue={webhook?.low_balance_threshold ?? ''}
        hint="Below this number of credits, credits.low is sent once."
      />
      <p className="row">
        <button className="button first" type="submit" disabled={put.isPending}>
          {webhook ? 'Save' : 'Create the webhook'}
        </button>
        {put.isSuccess && <span role="status">Saved.</span>}
      </p>
    </form>
  );
};

const Test = () => {
  const [, navigate] = useLocation();
  const test = useChange({
    change: () => send<Answer<'sendTestEvent', 202>>('POST', '/v1/webhooks/test'),
    reads: [['deliveries']],
    onDone: ({ delivery }) => navigate(`/webhooks/${delivery.id}`),
  });
  return (
    <>
      <button className="button" type="button" disabled={test.isPending} onClick={() => test.mutate()}>
        Send a test
      </button>
      <Failure error={test.error} />
    </>
  );
};

const More = ({ webhook, onSecret }: { webhook: Webhook; onSecret: (secret: string) => void }) => {
  const [dialog, setDialog] = useState<'rotate' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const rotate = usePut((secret) => {
    close();
    onSecret(secret);
  });
  const remove = useChange({
    change: () => send('DELETE', '/v1/webhooks'),
    reads: [webhookQuery.queryKey],
    onDone: close,
  });
  return (
    <>
      <button className="button small" type="button" onClick={() => setDialog('rotate')}>
        New secret
      </button>
      <button className="button small danger" type="button" onClick={() => setDialog('delete')}>
        Delete
      </button>
      {dialog === 'rotate' && (
        <Confirm
          title="Issue a new secret?"
          onClose={close}
          isPending={rotate.isPending}
          actions={[
            { name: 'New secret', act: () => rotate.mutate({ ...settingsOf(webhook), rotate_secret: true }) },
          ]}
        >
          <Failure error={rotate.error} />
          <p>New deliveries are signed with it at once. Deliveries in progress keep the old one.</p>
        </Confirm>
      )}
      {dialog === 'delete' && (
        <Confirm
          title="Delete the webhook?"
          onClose={close}
          isPending={remove.isPending}
          actions={[{ name: 'Delete', act: () => remove.mutate(), isDanger: true }]}
        >
          <Failure error={remove.error} />
          <p>New events are not sent any more, and monitors that need it pause.</p>
        </Confirm>
      )}
    </>
  );
};

export const Webhooks = () => {
  const query = useQuery(webhookQuery);
  const [secret, setSecret] = useState<string | null>(null);
  const webhook = query.data?.webhook ?? null;
  return (
    <Page
      title="Webhooks"
      tabs={<Tabs label="Access" tabs={accessTabs} />}
      note="Events of jobs, monitors and credits, signed and sent to your server."
      actions={webhook && <Test />}
    >
      <Box
        title="Receiver"
        actions={
          webhook && (
            <span className="row">
              <State of={webhook.enabled ? 'enabled' : 'disabled'} />
              <More webhook={webhook} onSecret={setSecret} />
            </span>
          )
        }
      >
        {webhook && !webhook.enabled && (
          <p role="status">
            Disabled <Time at={webhook.disabled_at} />, because every attempt failed for days. Repair the
            receiver, then save again.
          </p>
        )}
        {query.data ? (
          <Settings key={webhook?.updated_at} webhook={webhook} onSecret={setSecret} />
        ) : (
          <ReadState of={query} />
        )}
      </Box>
      <Deliveries />
      {secret !== null && <SigningSecret secret={secret} onClose={() => setSecret(null)} />}
    </Page>
  );
};
