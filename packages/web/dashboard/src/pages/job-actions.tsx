import { useQueryClient } from '@tanstack/react-query';
import type { JobData } from '@transcript-delivery/sdk';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { accountQuery } from '../api/queries.ts';
import { send } from '../api/send.ts';
import { useChange } from '../api/use-change.ts';
import { withKey } from '../api/with-key.ts';
import { Confirm } from '../parts/dialog.tsx';
import { Failure } from '../parts/failure.tsx';
import { hasEnded, isOver } from '../words.ts';

/** What the customer can do with the job. */
export const JobActions = ({ job }: { job: JobData }) => {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [dialog, setDialog] = useState<'cancel' | 'delete' | null>(null);
  const reads = [['jobs'], accountQuery.queryKey];
  const close = () => setDialog(null);
  const path = `/v1/jobs/${job.id}`;
  const retry = useChange({
    change: () => withKey((key) => send('POST', `${path}/retry`, { key })),
    reads,
  });
  const cancel = useChange({ change: () => send('POST', `${path}/cancel`), reads, onDone: close });
  const remove = useChange({
    change: () => send('DELETE', path),
    reads: [['jobs', 'list']],
    onDone: () => {
      navigate('/jobs');
      client.removeQueries({ queryKey: ['jobs', job.id] });
    },
  });
  const hasRetryable = job.videos.some(({ retryable }) => retryable) || job.counts.error > job.videos.length;
  const mayRetry =
    job.pause_reason === 'key_revoked' || (hasEnded(job) && job.status !== 'cancelled' && hasRetryable);
  return (
    <>
      {mayRetry && (
        <button className="button" type="button" disabled={retry.isPending} onClick={() => retry.mutate()}>
          Retry
        </button>
      )}
      {!hasEnded(job) && (
        <button className="button" type="button" onClick={() => setDialog('cancel')}>
          Cancel
        </button>
      )}
      {isOver(job) && (
        <button className="button danger" type="button" onClick={() => setDialog('delete')}>
          Delete
        </button>
      )}
      <Failure error={retry.error} />
      {dialog === 'cancel' && (
        <Confirm
          title="Cancel this job?"
          onClose={close}
          isPending={cancel.isPending}
          actions={[{ name: 'Cancel the job', act: () => cancel.mutate(), isDanger: true }]}
        >
          <Failure error={cancel.error} />
          <p>
            Nothing more begins, and reserved credits come back. Transcripts that are there stay, and stay
            charged.
          </p>
        </Confirm>
      )}
      {dialog === 'delete' && (
        <Confirm
          title="Delete this job?"
          onClose={close}
          isPending={remove.isPending}
          actions={[{ name: 'Delete', act: () => remove.mutate(), isDanger: true }]}
        >
          <Failure error={remove.error} />
          <p>Its list of videos, files and archives are deleted for good. Charges stay.</p>
        </Confirm>
      )}
    </>
  );
};
