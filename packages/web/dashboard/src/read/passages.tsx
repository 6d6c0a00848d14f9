import type { Passage } from '@transcript-delivery/sdk';
import { type KeyboardEvent, type MouseEvent, memo, type RefObject } from 'react';
import { clock, type ReadableTranscript } from '../transcript.ts';
import { PASSAGE } from './highlights.ts';

type Actions = {
  readonly onCopy: (index: number) => void;
  /** Without it, or if no player answers, a time leads to the video on its platform. */
  readonly onPlay: ((index: number) => boolean) | undefined;
};

const isPlain = (event: MouseEvent | KeyboardEvent): boolean =>
  !(event.ctrlKey || event.metaKey || event.altKey || event.shiftKey);

type LineProps = Actions & {
  readonly passage: Passage;
  readonly index: number;
  readonly isSpoken: boolean;
};

/** One stop of the keyboard: its time. From there C copies, so the button is for the mouse and for screen readers. */
const Line = memo(({ passage, index, isSpoken, onCopy, onPlay }: LineProps) => {
  const at = clock(passage.start);
  const play = (event: MouseEvent) => {
    if (isPlain(event) && onPlay?.(index)) event.preventDefault();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() === 'c' && isPlain(event)) onCopy(index);
  };
  return (
    <div className="passage" aria-current={isSpoken ? 'true' : undefined}>
      <a
        href={passage.url}
        target="_blank"
        rel="noopener noreferrer"
        aria-keyshortcuts="C"
        onClick={play}
        onKeyDown={press}
      >
        <span className="hidden">{onPlay ? 'Play at' : 'Open the video at'} </span>
        {at}
      </a>
      <p dir="auto" {...{ [PASSAGE]: index }}>
        {passage.text}
      </p>
      <button className="button small" type="button" tabIndex={-1} onClick={() => onCopy(index)}>
        Copy<span className="hidden"> the passage at {at}</span>
      </button>
    </div>
  );
});

type PassagesProps = Actions & {
  readonly transcript: ReadableTranscript;
  readonly article: RefObject<HTMLElement | null>;
  /** The passage that the player says now; -1 if none. */
  readonly spoken: number;
};

/** The text, with times that lead to their second of the video. A search paints on it, and renders nothing. */
export const Passages = memo(({ transcript, article, spoken, onCopy, onPlay }: PassagesProps) => {
  const { language, passages } = transcript;
  return (
    <article ref={article} className="passages" lang={language.delivered} aria-label="Transcript">
      {passages.map((passage, index) => [
        passage.chapters?.map((title) => (
          <h2 key={title} dir="auto">
            {title}
          </h2>
        )),
        <Line
          // biome-ignore lint/suspicious/noArrayIndexKey: passages never move
          key={index}
          {...{ passage, index, onCopy, onPlay }}
          isSpoken={index === spoken}
        />,
      ])}
    </article>
  );
});
