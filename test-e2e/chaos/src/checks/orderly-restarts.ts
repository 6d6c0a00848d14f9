import type { Finding } from '@tds/audit';
import type { History } from '../history.ts';

/** Errors of ours: 502 and 504 are the platform's. */
const ours = [500, 503];

/** With two of each service, a restart in order fails no request. */
export const checkOrderlyRestarts = (
  { calls, faults }: Pick<History, 'calls' | 'faults'>,
  processes: readonly { readonly service: string }[],
): Finding[] => {
  const isReplicated = processes.filter(({ service }) => service === 'gateway').length > 1;
  return faults
    .filter(({ fault }) => isReplicated && /^(?:roll-out|scale-down|stop-service|upgrade)$/.test(fault))
    .flatMap(({ fault, target, at, until }) => {
      const cutAt = Math.min(...faults.filter((other) => other.at >= until).map((other) => other.at));
      const during = calls.filter((call) => call.at >= at && call.at + call.ms < cutAt && call.at <= until);
      const failed = during.filter(
        ({ outcome, status }) => outcome === 'unknown' || ours.includes(status ?? 0),
      );
      if (failed.length === 0) return [];
      const [first] = failed;
      return [
        {
          invariant: 'R27',
          subject: `${fault} ${target} at ${at} ms`,
          what: `answers to ${during.length} calls`,
          expected: 'none of our errors',
          found: `${failed.length} failed; the first: ${first?.kind} at ${first?.at} ms, ${first?.status ?? 'no answer'} ${first?.code ?? ''} ${first?.requestId ?? ''}`,
        },
      ];
    });
};
