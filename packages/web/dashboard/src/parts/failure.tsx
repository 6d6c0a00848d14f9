import { Link } from 'wouter';
import { isSignedOut, Refusal } from '../api/send.ts';
import { loggedWords, nextStep, placeOf } from '../words.ts';

const SignInAgain = () => (
  <a
    className="button small"
    href={`/signin?to=${encodeURIComponent('/dashboard')}`}
    target="_blank"
    rel="noopener"
  >
    Sign in in another tab
  </a>
);

/** An error of the API: what happened, the next step, its code, and the id that support asks for. */
export const Failure = ({ error, retry }: { error: unknown; retry?: () => void }) => {
  if (!error) return null;
  const body = error instanceof Refusal ? error.body : null;
  const place = body && placeOf(body.code, REMEDIES);
  return (
    <div className="failure" role="alert">
      <p className="what">
        {body ? (REMEDIES[body.code]?.what ?? body.message) : 'This page has failed. Reload it.'}
      </p>
      {body && <p>{nextStep(body, REMEDIES)}</p>}
      <p className="row foot-note">
        {body && (
          <a href={`/docs/errors#${body.code}`}>
            <code>{body.code}</code>
          </a>
        )}
        {body?.request_id && <code className="soft">{body.request_id}</code>}
        {place && <Link href={place[0]}>{place[1]}</Link>}
        {isSignedOut(error) && <SignInAgain />}
        {retry && (
          <button className="button small" type="button" onClick={retry}>
            Try again
          </button>
        )}
      </p>
    </div>
  );
};

/** The code of a request of the log, with what went wrong. */
export const LoggedError = ({ code }: { code: string }) => (
  <RowError code={code} message={null} words={loggedWords(code, REMEDIES)} />
);

/** The code of a row of a job, with its remedy. */
export const RowError = ({
  code,
  message,
  words,
}: {
  code: string;
  message: string | null;
  words?: string | undefined;
}) => (
  <>
    <a href={`/docs/errors#${code}`}>
      <code>{code}</code>
    </a>
    <span className="note">{words ?? REMEDIES[code]?.what ?? REMEDIES[code]?.remedy ?? message}</span>
  </>
);
