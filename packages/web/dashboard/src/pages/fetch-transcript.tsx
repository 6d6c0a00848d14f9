import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { accountQuery } from '../api/queries.ts';
import { Refusal } from '../api/send.ts';
import { openingQuery, readTranscript, transcriptQuery } from '../api/transcripts.ts';
import { useChange } from '../api/use-change.ts';
import { withKey } from '../api/with-key.ts';
import { freeLanguages, languageName, translationWarning, type VideoFacts } from '../languages.ts';
import { Failure } from '../parts/failure.tsx';
import { Box } from '../parts/page.tsx';
import { readingAddress, readingCost, type Wish } from '../transcript.ts';
import { credits, findHindrance } from '../words.ts';

/** What the video lacks, which another press does not change. */
const IN_VAIN: ReadonlySet<string> = new Set(['NoCaptions', 'Unavailable']);

/** A transcript that is not cached: what it costs, and the button that fetches it. */
export const FetchTranscript = ({ wish, facts }: { wish: Wish; facts: VideoFacts }) => {
  const client = useQueryClient();
  const { data: account } = useQuery(accountQuery);
  const [isSlow, setSlow] = useState(false);
  const fetching = useChange({
    change: () => withKey((key) => readTranscript(wish, { key, onWait: () => setSlow(true) })),
    reads: [accountQuery.queryKey, openingQuery(wish).queryKey],
    // Two presses of a nervous finger are charged once, and one of their answers says so.
    onDone: (answer) =>
      client.setQueryData(transcriptQuery(wish).queryKey, (known) => ({
        ...answer,
        charged: answer.charged + (known?.charged ?? 0),
      })),
  });
  const hindrance = account && findHindrance(account, 1);
  const isInVain = fetching.error instanceof Refusal && IN_VAIN.has(fetching.error.body.errorClass);
  const warning = translationWarning(facts, wish.language);
  const free = freeLanguages(facts);
  return (
    <Box>
      {facts.video.title === null && (
        <p className="soft">
          Nothing was read of this video yet: its title and length show once it is fetched.
        </p>
      )}
      {warning && <p className="what">{warning}</p>}
      {free.length > 0 && (
        <p>
          Cached, and free:{' '}
          {free.map((language) => (
            <Link
              key={language}
              className="button small"
              href={readingAddress({ video: wish.video, language })}
            >
              {languageName(language)}
            </Link>
          ))}
        </p>
      )}
      <p>
        {readingCost(facts, wish)} {account && !hindrance && `You have ${credits(account.credits.available)}.`}
      </p>
      <Failure error={fetching.error} />
      <div className="row">
        {!isInVain && (
          <button
            className={free.length > 0 ? 'button' : 'button first'}
            type="button"
            disabled={fetching.isPending || Boolean(hindrance)}
            onClick={() => fetching.mutate()}
          >
            {fetching.isPending ? 'Fetching…' : `${warning ? 'Translate' : 'Fetch'} it for 1 credit`}
          </button>
        )}
        {hindrance && (
          <span>
            {hindrance} <Link href="/billing">Billing</Link>
          </span>
        )}
      </div>
      <div role="status">
        {fetching.isPending && (
          <>
            <progress aria-label="Fetching" />
            <p className="note">
              {isSlow
                ? 'It takes longer than usual. It goes on if you leave this page, and is then cached.'
                : 'The video platform is asked. This takes some seconds.'}
            </p>
          </>
        )}
      </div>
    </Box>
  );
};
