import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { auditQuery } from '../api/queries.ts';
import { useKeyNames } from '../api/use-key-names.ts';
import { usePeople } from '../api/use-people.ts';
import { List, Pager } from '../parts/table.tsx';
import { Moment } from '../parts/time.tsx';

const inWords = (action: string): string =>
  action.charAt(0).toUpperCase() + action.slice(1).replaceAll('-', ' ');

/** The key that each session has: its id says nothing to a person. */
const OF_SESSION = /^of the session [\da-f-]+$/;

/** What happened in the account, for its owners. */
export const AuditList = () => {
  const [offset, setOffset] = useState(0);
  const audit = useQuery(auditQuery(offset));
  const { people } = usePeople();
  const { names } = useKeyNames();
  return (
    <>
      <List
        label="What happened"
        query={audit}
        empty="Nothing yet."
        columns={[{ name: 'What' }, { name: 'By' }, { name: 'From' }, { name: 'At' }]}
        rows={audit.data?.entries.map(
          ({ id, at, action, actor, person_id, key_id, client_address, detail }) => (
            <tr key={id}>
              <th scope="row">
                {inWords(action)}
                <bdi className="note">
                  {names.find((key) => key.id === key_id)?.name ??
                    detail?.replace(OF_SESSION, 'for the dashboard')}
                </bdi>
              </th>
              <td>{people.find((person) => person.id === person_id)?.email ?? actor}</td>
              <td>{client_address ?? '–'}</td>
              <td>
                <Moment at={at} />
              </td>
            </tr>
          ),
        )}
      />
      <Pager page={audit.data} onOffset={setOffset} />
    </>
  );
};
