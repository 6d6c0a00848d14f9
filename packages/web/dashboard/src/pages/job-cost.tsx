import type { Account } from '@transcript-delivery/sdk';
import { useKeyUse } from '../api/use-key-use.ts';
import { cautions, costSentence, type Found, type Plan } from '../job-plan.ts';
import { jobTranslationWarning } from '../languages.ts';
import { clock } from '../transcript.ts';
import { number } from '../words.ts';

type JobCostProps = {
  readonly found: Found;
  readonly plan: Plan;
  readonly account: Account;
  readonly language: string;
};

const Cost = ({ found, plan, account, language }: JobCostProps) => {
  const translation = jobTranslationWarning(found.videos.slice(0, plan.count), language);
  const { findUseOf } = useKeyUse();
  const usedToday = (account.person && findUseOf(account.person.id)?.today) ?? 0;
  const said = [translation ?? '', ...cautions(plan, found, account, usedToday, Date.now())].filter(Boolean);
  return (
    <div className="cost" role="status">
      <p className="what">{costSentence(plan)}</p>
      {said.map((caution) => (
        <p key={caution}>{caution}</p>
      ))}
    </div>
  );
};

const PREVIEWED = 5;

/** The first videos that the job takes, so that a wrong source is seen before it costs anything. */
const Preview = ({ found, plan }: { found: Found; plan: Plan }) => {
  const shown = found.videos.slice(0, Math.min(PREVIEWED, plan.count));
  return (
    <>
      <ol className="preview">
        {shown.map(({ video_id, title, published_at: day, duration, cached }) => (
          <li key={video_id}>
            <bdi>{title ?? video_id}</bdi>{' '}
            <span className="soft">
              {[day, duration !== null && clock(duration), cached && 'cached'].filter(Boolean).join(', ')}
            </span>
          </li>
        ))}
      </ol>
      {plan.count > shown.length && <p className="note">and {number(plan.count - shown.length)} more</p>}
    </>
  );
};

/** What the job takes and costs at most. */
export const JobCost = (props: JobCostProps) => (
  <>
    <Cost {...props} />
    <Preview found={props.found} plan={props.plan} />
  </>
);
