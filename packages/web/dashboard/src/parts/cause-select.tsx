import { useKeyNames } from '../api/use-key-names.ts';
import { usePeople } from '../api/use-people.ts';
import { Select } from './field.tsx';
import { ReadState } from './read-state.tsx';

const FILTERS = ['key_id', 'person_id', 'via'] as const;
const NONE = { key_id: '', person_id: '', via: '' };

/** Of an address: whose work is shown, as the API filters it. */
export const chosenCause = (search: URLSearchParams): Record<string, string> =>
  Object.fromEntries(FILTERS.flatMap((name) => (search.get(name) ? [[name, search.get(name) as string]] : [])));

type CauseSelectProps = {
  readonly cause: Readonly<Record<string, string>>;
  readonly onChange: (changes: Record<string, string>) => void;
};

/** Whose work a list shows: that of a key, an app, or the dashboard. */
export const CauseSelect = ({ cause, onChange }: CauseSelectProps) => {
  const { names, reading } = useKeyNames();
  const { people, reading: readingPeople } = usePeople();
  return (
    <>
      <ReadState of={reading} />
      <ReadState of={readingPeople} />
      <Select
        label="By"
        options={[
          ['', 'All'],
          ['via=dashboard', 'Dashboard'],
          ...names.map(({ id, name }) => [`key_id=${id}`, name] as const),
        ]}
        groups={
          people.length > 1 ? [['People', people.map(({ id, email }) => [`person_id=${id}`, email])]] : []
        }
        value={String(new URLSearchParams(cause))}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...NONE, ...Object.fromEntries(new URLSearchParams(value)) })
        }
      />
    </>
  );
};
