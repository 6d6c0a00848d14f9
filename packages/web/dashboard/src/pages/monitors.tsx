import { useQuery } from '@tanstack/react-query';
import type { Answer, Monitor } from '@transcript-delivery/sdk';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { monitorsQuery, webhookQuery } from '../api/queries.ts';
import { send } from '../api/send.ts';
import { useChange } from '../api/use-change.ts';
import { withKey } from '../api/with-key.ts';
import { monitorSource } from '../job-plan.ts';
import { SPOKEN, wishName } from '../languages.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Failure } from '../parts/failure.tsx';
import { Check, Field, Select, textOf } from '../parts/field.tsx';
import { LanguageField } from '../parts/language-field.tsx';
import { Box, Page } from '../parts/page.tsx';
import { ReadState } from '../parts/read-state.tsx';
import { State } from '../parts/state.tsx';
import { List } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useQueryState } from '../parts/use-query-state.ts';
import { useSearch } from '../parts/use-search.tsx';
import { monitorPauses, number } from '../words.ts';

export const titleOf = ({ title, channel, playlist }: Monitor): string => title ?? channel ?? playlist ?? '';

const Create = ({ onClose }: { onClose: () => void }) => {
  const [, navigate] = useLocation();
  const [once] = useState(() => crypto.randomUUID());
  const webhook = useQuery(webhookQuery);
  const create = useChange({
    change: (body: object) =>
      withKey((key) => send<Answer<'createMonitor', 201>>('POST', '/v1/monitors', { body, once, key })),
    reads: [monitorsQuery.queryKey],
    onDone: ({ monitor }) => navigate(`/monitors/${monitor.id}`),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    create.mutate({
      ...monitorSource(textOf(form, 'source')),
      auto_fetch: form.has('auto_fetch'),
      language: textOf(form, 'language'),
      fallback: true,
    });
  };
  return (
    <Dialog title="New monitor" onClose={onClose}>
      <form onSubmit={submit}>
        <Failure error={create.error} />
        <ReadState of={webhook} />
        <Field
          label="Channel or playlist"
          name="source"
          required
          autoComplete="off"
          placeholder="@handle"
          hint="Its address, a handle, or an id. Videos that are there now are not new."
        />
        <Check
          name="auto_fetch"
          label="Fetch new transcripts by a job"
          hint="1 credit each. Watching itself is free."
        />
        <LanguageField value={SPOKEN} />
        {webhook.data?.webhook === null && (
          <p className="note">
            Without a <Link href="/webhooks">webhook</Link> new videos are only listed here.
          </p>
        )}
        <div className="row end">
          <button className="button" type="button" onClick={onClose}>
            Cancel
          </button>
          <button className="button first" type="submit" disabled={create.isPending}>
            Watch it
          </button>
        </div>
      </form>
    </Dialog>
  );
};

const Row = ({ monitor }: { monitor: Monitor }) => (
  <tr>
    <th scope="row">
      <Link href={`/monitors/${monitor.id}`}>
        <bdi>{titleOf(monitor)}</bdi>
      </Link>
      <span className="note">
        {monitor.playlist ? 'Playlist' : 'Channel'}
        {monitor.auto_fetch && `, fetched in ${wishName(monitor.language)}`}
      </span>
    </th>
    <td>
      <State of={monitor.status} />
      {monitor.pause_reason && <span className="note">{monitorPauses[monitor.pause_reason]}</span>}
    </td>
    <td className="number wide">{number(monitor.new_videos)}</td>
    <td>
      <Time at={monitor.last_checked_at} />
    </td>
    <td>
      <Time at={monitor.next_check_at} never="–" />
    </td>
  </tr>
);

const stateOptions = [
  ['', 'All'],
  ['active', 'Active'],
  ['paused', 'Paused'],
  ['cancelled', 'Cancelled'],
] as const;

export const Monitors = () => {
  const monitors = useQuery(monitorsQuery);
  const { search, set } = useQueryState();
  const status = search.get('status') ?? '';
  const { isOn, holds, field } = useSearch();
  const found = monitors.data?.monitors.filter(
    (monitor) =>
      (status === '' || monitor.status === status) &&
      holds(titleOf(monitor), monitor.channel, monitor.playlist),
  );
  const [isCreating, setCreating] = useState(false);
  return (
    <Page
      title="Monitors"
      note="A monitor looks for new videos of a channel or a playlist about every 15 minutes."
      actions={
        <button className="button first" type="button" onClick={() => setCreating(true)}>
          New monitor
        </button>
      }
    >
      <div className="filters">
        <Select
          label="State"
          options={stateOptions}
          value={status}
          onChange={(event) => set({ status: event.currentTarget.value })}
        />
        {field}
      </div>
      <Box flush>
        <List
          label="Monitors"
          query={monitors}
          empty={
            isOn || status ? 'No monitor is like this.' : 'No monitors yet. Create one to hear of new videos.'
          }
          columns={[
            { name: 'Source' },
            { name: 'State' },
            { name: 'New videos', kind: 'number', isWide: true },
            { name: 'Last check' },
            { name: 'Next check' },
          ]}
          rows={found?.map((monitor) => <Row key={monitor.id} monitor={monitor} />)}
        />
      </Box>
      {isCreating && <Create onClose={() => setCreating(false)} />}
    </Page>
  );
};
