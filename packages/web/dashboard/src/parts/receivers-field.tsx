import { useQuery } from '@tanstack/react-query';
import { receiversQuery } from '../api/queries.ts';
import { Check } from './field.tsx';
import { ReadState } from './read-state.tsx';

const SHOWN = 'receivers_shown';

/** The receivers that a job or a monitor names; its names in a form are `receivers`. Nothing for an account without any. */
export const ReceiversField = ({ chosen = [] }: { chosen?: readonly string[] }) => {
  const receivers = useQuery(receiversQuery);
  const { data } = receivers;
  if (!data) return <ReadState of={receivers} />;
  if (data.receivers.length === 0) return null;
  return (
    <fieldset>
      <legend>Receivers</legend>
      <input type="hidden" name={SHOWN} />
      <p className="note">
        Events go to those that you choose alone; without a choice to all that are not only for what names them.
      </p>
      {data.receivers.map(({ id, name }) => (
        <Check
          key={id}
          name="receivers"
          value={id}
          defaultChecked={chosen.includes(id)}
          label={<bdi>{name}</bdi>}
        />
      ))}
    </fieldset>
  );
};

/** What the form says; nothing if it has not shown them. */
export const receiversOf = (form: FormData): { receivers?: string[] } =>
  form.has(SHOWN) ? { receivers: form.getAll('receivers').map(String) } : {};
