import type { JobPause, JobProgress } from '@transcript-delivery/sdk';
import { type Io, printable } from './context.ts';

const WIDTH = 28;

export const progressText = ({ counts, status, pause_reason: reason }: JobProgress): string => {
  const done = counts.cached + counts.fetched + counts.error + counts.cancelled;
  const filled = Math.round((done / Math.max(counts.total, 1)) * WIDTH);
  const reasonText = reason ? ` (${reason})` : '';
  return `${'━'.repeat(filled)}${'─'.repeat(WIDTH - filled)} ${done}/${counts.total} ${status}${reasonText}`;
};

export const pauseText = ({ resumesAt }: JobPause): string =>
  `The job is paused ${resumesAt ? `until ${resumesAt.toISOString()}` : 'for an unknown time'}. Ctrl-C ends the wait, and the job goes on.`;

/** One line on stderr that changes; without a terminal a line for each change. `end` leaves it as it is. */
export const progressLine = ({ stderr }: Pick<Io, 'stderr'>) => {
  let last = '';
  return {
    show: (message: string): void => {
      const text = printable(message);
      if (text === last) return;
      last = text;
      stderr.write(stderr.isTTY ? `\r\u001b[K${text}` : `${text}\n`);
    },
    end: (): void => {
      if (stderr.isTTY && last) stderr.write('\n');
      last = '';
    },
  };
};
