import { clock, formatQuote } from '../transcript.ts';
import { Cite } from './cite.tsx';
import { Copy } from './copy.tsx';

/** A sentence with the words that were found. */
export const Marked = ({ text, words }: { readonly text: string; readonly words: string }) => {
  const start = words === '' ? -1 : text.indexOf(words);
  if (start < 0) return text;
  return (
    <>
      {text.slice(0, start)}
      <mark>{words}</mark>
      {text.slice(start + words.length)}
    </>
  );
};

type QuoteProps = {
  readonly of: Parameters<typeof formatQuote>[0];
  readonly text: string;
  readonly start: number;
  /** The video from there on. */
  readonly url: string;
};

/** Copies a sentence with its source, cites its second, or opens it. */
export const QuoteActions = ({ of, text, start, url }: QuoteProps) => (
  <p className="row">
    <Copy
      text={formatQuote(of, { text, seconds: start })}
      label={
        <>
          Copy quote<span className="hidden"> at {clock(start)}</span>
        </>
      }
    />
    <Cite video={of.video.id} at={start} />
    <a href={url} target="_blank" rel="noopener noreferrer">
      Open the video<span className="hidden"> at {clock(start)}</span>
    </a>
  </p>
);
