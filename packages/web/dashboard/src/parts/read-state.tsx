import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isBeyondRole } from '../api/send.ts';
import { Failure } from './failure.tsx';

/** After these milliseconds a part says that it waits, and what to do. */
const NOTE_MS = 2_000;
const REMEDY_MS = 10_000;

const Waiting = ({ retry, doing }: { retry: () => void; doing: string | undefined }) => {
  const [since, setSince] = useState(Date.now);
  const [waitedMs, setWaitedMs] = useState(0);
  useEffect(() => {
    const timers = [NOTE_MS, REMEDY_MS].map((ms) => setTimeout(() => setWaitedMs(ms), since + ms - Date.now()));
    return () => timers.forEach(clearTimeout);
  }, [since]);
  const again = () => {
    setWaitedMs(0);
    setSince(Date.now());
    retry();
  };
  return (
    <div className="waiting soft" role="status">
      {waitedMs < REMEDY_MS && (doing ?? (waitedMs === NOTE_MS && 'Waiting for the service…'))}
      {waitedMs === REMEDY_MS && (
        <>
          The service has not answered for ten seconds. This part appears when it does. If it stays away, look
          at its <a href="/status">status</a>.{' '}
          <button className="button small" type="button" onClick={again}>
            Try again
          </button>
        </>
      )}
    </div>
  );
};

/** In place of a part of a view that was not read: that it is waited for, or why it failed. What was read before stays, without a word;
 * so does a part that the role of the person may not read. */
export const ReadState = ({
  of: { data, error },
  doing,
}: {
  of: { data: unknown; error: unknown };
  /** Of what may take seconds: said at once. */
  doing?: string;
}) => {
  const client = useQueryClient();
  // All that is missing: parts that wait for the same service come back by one press.
  const retry = () => void client.resetQueries({ predicate: ({ state }) => state.data === undefined });
  if (data !== undefined || isBeyondRole(error)) return null;
  return error ? <Failure error={error} retry={retry} /> : <Waiting retry={retry} doing={doing} />;
};
