import { useQuery } from '@tanstack/react-query';
import type { Answer } from '@transcript-delivery/sdk';
import { Link, useLocation } from 'wouter';
import { deliveryQuery } from '../api/queries.ts';
import { send } from '../api/send.ts';
import { useChange } from '../api/use-change.ts';
import { Command } from '../parts/copy.tsx';
import { Failure } from '../parts/failure.tsx';
import { Box, Figure, Page } from '../parts/page.tsx';
import { ReadState } from '../parts/read-state.tsx';
import { State } from '../parts/state.tsx';
import { List } from '../parts/table.tsx';
import { Moment, Time } from '../parts/time.tsx';
import { attemptErrors, number } from '../words.ts';

const WATCH_MS = 3_000;
const WATCHED_MS = 60_000;

type Details = Answer<'getDelivery'>;

/** A delivery that was just created is read again for a minute, so its first attempt appears by itself. */
const isFresh = ({ delivery, attempts }: Details): boolean =>
  delivery.status === 'pending' &&
  attempts.length === 0 &&
  Date.now() - Date.parse(delivery.created_at) < WATCHED_MS;

const pretty = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
};

const Attempts = ({ details, query }: { details: Details; query: Parameters<typeof List>[0]['query'] }) => (
  <Box title="Attempts" flush>
    <List
      label="Attempts"
      query={query}
      empty="None yet."
      columns={[
        { name: 'Attempt' },
        { name: 'Answer' },
        { name: 'Milliseconds', kind: 'number', isWide: true },
        { name: 'At' },
      ]}
      rows={details.attempts.map((attempt) => (
        <tr key={attempt.number}>
          <th scope="row">{attempt.number}</th>
          <td>
            {attempt.status ?? 'none'}
            {attempt.error && <span className="note">{attemptErrors[attempt.error]}</span>}
            {attempt.answer && <code className="note">{attempt.answer}</code>}
          </td>
          <td className="number wide">{attempt.milliseconds === null ? '–' : number(attempt.milliseconds)}</td>
          <td>
            <Moment at={attempt.at} />
          </td>
        </tr>
      ))}
    />
  </Box>
);

const Resend = ({ id }: { id: string }) => {
  const [, navigate] = useLocation();
  const resend = useChange({
    change: () => send<Answer<'resendDelivery', 202>>('POST', `/v1/webhooks/deliveries/${id}/resend`),
    reads: [['deliveries']],
    onDone: ({ delivery }) => navigate(`/webhooks/${delivery.id}`),
  });
  return (
    <>
      <button className="button" type="button" disabled={resend.isPending} onClick={() => resend.mutate()}>
        Send again
      </button>
      <Failure error={resend.error} />
    </>
  );
};

export const DeliveryPage = ({ id }: { id: string }) => {
  const query = useQuery({
    ...deliveryQuery(id),
    refetchInterval: ({ state }) => (state.data && isFresh(state.data) ? WATCH_MS : false),
  });
  if (!query.data)
    return (
      <Page title="Delivery">
        <ReadState of={query} />
      </Page>
    );
  const { delivery, body } = query.data;
  return (
    <Page
      title={delivery.event}
      note={
        <>
          <Link href="/webhooks">Webhooks</Link>, delivery <code>{delivery.id}</code>
        </>
      }
      actions={<Resend id={id} />}
    >
      <Box title="Delivery" actions={<State of={delivery.status} />}>
        <p>
          To <code>{delivery.url}</code>
        </p>
        {delivery.replaced_by && (
          <p>
            <Link href={`/webhooks/${delivery.replaced_by}`}>Sent again</Link>, so this one is attempted no
            more.
          </p>
        )}
        <dl className="figures-row inner">
          <Figure name="Attempts" value={number(delivery.attempt_count)} note="At most 5" />
          <Figure name="Created" value={<Time at={delivery.created_at} />} />
          <Figure name="Next attempt" value={<Time at={delivery.next_attempt_at} never="none" />} />
          {delivery.job_id && (
            <Figure name="About" value={<Link href={`/jobs/${delivery.job_id}`}>a job</Link>} />
          )}
        </dl>
      </Box>
      <Attempts details={query.data} query={query} />
      <Box title="Body">
        <Command label="As it is signed" text={pretty(body)} />
      </Box>
    </Page>
  );
};
