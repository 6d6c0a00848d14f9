import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { deliveriesQuery, webhookQuery } from '../api/queries.ts';
import { Select } from '../parts/field.tsx';
import { Box } from '../parts/page.tsx';
import { State } from '../parts/state.tsx';
import { List, Pager } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useQueryState } from '../parts/use-query-state.ts';

const PAGE = 20;

const statusOptions = [
  ['', 'All'],
  ['delivered', 'Delivered'],
  ['pending', 'Waiting'],
  ['failed', 'Failed'],
] as const;
const eventOptions = [['', 'All'] as const, ...DELIVERY_EVENTS.map((event) => [event, event] as const)];

/** Of a chat service an address begins with it. */
const hostOf = (url: string): string | undefined => url.replace(/^https?:\/\//, '').split('/')[0];

/** The deliveries of the account, newest first. */
export const Deliveries = () => {
  const { search, set, offset } = useQueryState();
  const [status, event] = [search.get('status') ?? '', search.get('event') ?? ''];
  const filter = new URLSearchParams({
    limit: String(PAGE),
    offset: String(offset),
    ...(status && { status }),
    ...(event && { event }),
  });
  const deliveries = useQuery(deliveriesQuery(String(filter)));
  const webhook = useQuery(webhookQuery);
  return (
    <Box
      title="Deliveries"
      flush
      actions={
        <div className="filters">
          <Select
            label="State"
            options={statusOptions}
            value={status}
            onChange={({ currentTarget }) => set({ event, status: currentTarget.value })}
          />
          <Select
            label="Event"
            options={eventOptions}
            value={event}
            onChange={({ currentTarget }) => set({ status, event: currentTarget.value })}
          />
        </div>
      }
    >
      <List
        label="Deliveries"
        query={deliveries}
        empty={`No deliveries in the last 30 days. ${webhook.data?.webhook ? 'Send a test to see one.' : 'Set a webhook, and send it a test.'}`}
        columns={[
          { name: 'Event' },
          { name: 'State' },
          { name: 'Attempts', kind: 'number', isWide: true },
          { name: 'Created' },
        ]}
        rows={deliveries.data?.deliveries.map((delivery) => (
          <tr key={delivery.id}>
            <th scope="row">
              <Link href={`/webhooks/${delivery.id}`}>{delivery.event}</Link>
              <span className="note">To {hostOf(delivery.url)}</span>
            </th>
            <td>
              <State of={delivery.status} />
              {delivery.next_attempt_at && delivery.attempt_count > 0 && (
                <span className="note">
                  Next attempt <Time at={delivery.next_attempt_at} />
                </span>
              )}
            </td>
            <td className="number wide">{delivery.attempt_count}</td>
            <td>
              <Time at={delivery.created_at} />
            </td>
          </tr>
        ))}
      />
      <Pager page={deliveries.data} onOffset={(next) => set({ status, event, offset: next })} />
    </Box>
  );
};
