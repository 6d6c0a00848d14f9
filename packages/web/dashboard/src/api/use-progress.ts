import { useQueryClient } from '@tanstack/react-query';
import type { JobProgress } from '@transcript-delivery/sdk';
import { useEffect, useState } from 'react';
import { hasEnded } from '../words.ts';
import { jobQuery } from './queries.ts';

/** `live`: events come; `waiting`: the browser connects again by itself; `ended`: there is nothing more to follow. */
export type Progress = 'live' | 'waiting' | 'ended';

/** Follows a job while it runs. Its final state is that of the job itself. */
export const useProgress = (id: string, isEnded: boolean): Progress => {
  const client = useQueryClient();
  const [state, setState] = useState<'live' | 'waiting'>('waiting');
  useEffect(() => {
    if (isEnded) return;
    const stream = new EventSource(`/v1/jobs/${id}/events`);
    // Rows are read once for each stream, so a page costs what its stream costs.
    stream.addEventListener('open', () => client.invalidateQueries({ queryKey: ['jobs', id, 'rows'] }));
    stream.addEventListener('job', (event) => {
      const progress = JSON.parse(event.data) as JobProgress;
      setState('live');
      client.setQueryData(jobQuery(id).queryKey, (known) =>
        known ? { ...known, job: { ...known.job, ...progress } } : known,
      );
      if (!hasEnded(progress)) return;
      stream.close();
      void client.invalidateQueries({ queryKey: ['jobs'] });
      void client.invalidateQueries({ queryKey: ['account'] });
    });
    stream.addEventListener('error', () => setState('waiting'));
    return () => stream.close();
  }, [id, isEnded, client]);
  return isEnded ? 'ended' : state;
};
