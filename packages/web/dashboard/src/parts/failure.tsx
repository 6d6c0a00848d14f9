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

/** What support and developers ask for: the code, which leads to its documentation, and the id of the request. */
const Details = ({ code, requestId }: { code: string; requestId: string }) => (
  <details className="foot-note">
    <summary>Details</summary>
    <p className="row">
      <a href={`/docs/errors#${code}`}>
        <code>{code}</code>
      </a>
      {requestId && <code className="soft">{requestId}</code>}
    </p>
  </details>
);

/** An error of the API: what happened, the next step, and behind a press its code and request. */
export const Failure = ({ error, retry }: { error: unknown; retry?: () => void }) => {
  if (!error) return null;
  const body = error instanceof Refusal ? error.body : null;
  const place = body && placeOf(body.code, REMEDIES);
  const step = body && nextStep(body, REMEDIES);
  const isOver = isSignedOut(error);
  return (
    <div className="failure" role="alert">
      <p className="what">
        {body ? (REMEDIES[body.code]?.what ?? body.message) : 'This page has failed. Reload it.'}
      </p>
      {step && <p>{step}</p>}
      {(place || isOver || retry) && (
        <p className="row foot-note">
          {place && <Link href={place[0]}>{place[1]}</Link>}
          {isOver && <SignInAgain />}
          {retry && (
            <button className="button small" type="button" onClick={retry}>
              Try again
            </button>
          )}
        </p>
      )}
      {body && <Details code={body.code} requestId={body.request_id} />}
    </div>
  );
};

/** What went wrong with a request of the log. */
export const LoggedError = ({ code }: { code: string }) => (
  <RowError code={code} message={null} words={loggedWords(code, REMEDIES)} />
);

type RowErrorProps = {
  readonly code: string;
  readonly message: string | null;
  readonly words?: string | undefined;
};

/** What went wrong with a row and what to do; its code is the name of the link to more. */
export const RowError = ({ code, message, words }: RowErrorProps) => (
  <>
    {words ?? REMEDIES[code]?.what ?? REMEDIES[code]?.remedy ?? message}{' '}
    <a href={`/docs/errors#${code}`} title={code}>
      Details<span className="hidden"> of {code}</span>
    </a>
  </>
);
