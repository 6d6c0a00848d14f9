import type { Finding } from '@tds/audit';
import type { History } from '../history.ts';

const UNAVAILABLE = 503;
/** Each reset costs one caller an answer; if waits piled up, most calls would fail within seconds. */
const MAX_REFUSED = 0.1;

/** Returns when a kill or the next fault cuts the calls under way: their answers say nothing about a slow network. */
const nextCutAfter = (faults: History['faults'], { at, until }: { at: number; until: number }): number =>
  Math.min(...faults.filter((fault) => fault.at >= (fault.kills > 0 ? at : until)).map((fault) => fault.at));

/** A network that is slow and loses connections makes calls slow, and fails a few: nothing piles up behind it. */
export const checkSlowCalls = ({ calls, faults }: Pick<History, 'calls' | 'faults'>): Finding[] =>
  faults
    .filter(({ fault }) => /^slow-/.test(fault))
    .flatMap(({ fault, target, at, until }) => {
      const cutAt = nextCutAfter(faults, { at, until });
      const during = calls.filter((call) => call.at >= at && call.at <= until && call.at + call.ms < cutAt);
      const unanswered = during.filter(({ outcome }) => outcome === 'unknown').length;
      const refused = during.filter(({ status }) => status === UNAVAILABLE).length;
      if (unanswered === 0 && refused <= during.length * MAX_REFUSED) return [];
      return [
        {
          invariant: 'R20',
          subject: `${fault} ${target} at ${at} ms`,
          what: `answers to ${during.length} calls over a slow network`,
          expected: `all, at most ${MAX_REFUSED * 100} % of them ${UNAVAILABLE}`,
          found: `${unanswered} calls without an answer, ${refused} times ${UNAVAILABLE}`,
        },
      ];
    });
