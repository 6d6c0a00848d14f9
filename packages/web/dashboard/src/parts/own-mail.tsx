import { useQuery } from '@tanstack/react-query';
import type { Body } from '@transcript-delivery/sdk';
import type { FormEvent } from 'react';
import { ownMailQuery } from '../api/queries.ts';
import { send } from '../api/send.ts';
import { useChange } from '../api/use-change.ts';
import { Failure } from './failure.tsx';
import { readText } from './field.tsx';
import { MailField } from './mail-field.tsx';
import { Box } from './page.tsx';
import { ReadState } from './read-state.tsx';

const TITLE = 'Your mails';

type Mail = Body<'chooseMonitorMail'>['mail'];
type OwnMailProps = Pick<Parameters<typeof MailField>[0], 'now' | 'hint' | 'weekly'> & {
  /** Of the monitor or the job. */
  readonly path: string;
};

/** When who is signed in is mailed about a monitor or a job: a choice of their own, whoever made it. */
export const OwnMail = ({ path, ...words }: OwnMailProps) => {
  const query = ownMailQuery(path);
  const choice = useQuery(query);
  const { data } = choice;
  const change = useChange({
    change: (mail: Mail) => send('PUT', `${path}/mail`, { body: { mail } }),
    reads: [query.queryKey],
  });
  if (data === undefined)
    return (
      <Box title={TITLE}>
        <ReadState of={choice} />
      </Box>
    );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    change.mutate(readText(new FormData(event.currentTarget), 'mail') as Mail);
  };
  return (
    <Box title={TITLE}>
      <form onSubmit={submit} onChange={() => change.reset()}>
        <MailField key={data.mail} value={data.mail} {...words} />
        <Failure error={change.error} />
        <p className="row">
          <button className="button" type="submit" disabled={change.isPending}>
            Save
          </button>
          <span role="status">{change.isSuccess && 'Saved.'}</span>
        </p>
      </form>
    </Box>
  );
};
