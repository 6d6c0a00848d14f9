import { usePeople } from '../api/use-people.ts';

/** Who made something, in an account of several people. */
export const By = ({ id }: { id: string | null | undefined }) => {
  const name = usePeople().nameOf(id);
  return name ? (
    <>
      {' '}
      by <bdi>{name}</bdi>
    </>
  ) : null;
};
