import { RefusedAnswer, refusal } from '../../classification/refusal.ts';
import { verdicts } from '../../classification/verdict.ts';
import { inside, listInside } from './inside.ts';
import { textAt } from './values.ts';

const ALERTS = ['alertRenderer', 'alertWithButtonRenderer'] as const;
/** An error of the moment, which says nothing about the source. */
const PASSING = /try again|went wrong|error occurred|temporarily/i;

/** Throws if the page says that its source is gone. Good pages have alerts of other types. */
export const refuseErrorAlerts = (answer: unknown): void => {
  for (const alert of listInside(answer, ['alerts'])) {
    const found = ALERTS.map((name) => inside(alert, name)).find((one) => inside(one, 'type') === 'ERROR');
    if (found === undefined) continue;
    const reason = textAt(found, 'text');
    const verdict = PASSING.test(reason ?? '') ? verdicts.odd : verdicts.sourceGone;
    throw new RefusedAnswer(refusal('error_alert', verdict, { reason }));
  }
};
