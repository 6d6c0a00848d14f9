import type { Passage } from '@transcript-delivery/sdk';
import { memo, type RefObject } from 'react';
import { PASSAGE } from './highlights.ts';
import { clock, groupChapters, type ReadableTranscript } from './transcript.ts';

type LineProps = {
  readonly passage: Passage;
  readonly index: number;
  readonly onCopy: (index: number) => void;
};

const Line = ({ passage, index, onCopy }: LineProps) => {
  const at = clock(passage.start);
  return (
    <div className="passage">
      <a href={passage.url} target="_blank" rel="noopener noreferrer">
        {at}
      </a>
      <p dir="auto" {...{ [PASSAGE]: index }}>
        {passage.text}
      </p>
      <button className="button small" type="button" onClick={() => onCopy(index)}>
        Copy<span className="hidden"> the passage at {at}</span>
      </button>
    </div>
  );
};

type PassagesProps = {
  readonly transcript: ReadableTranscript;
  readonly article: RefObject<HTMLElement | null>;
  readonly onCopy: (index: number) => void;
};

/** The text, with times that lead to their second of the video. It is rendered once; a search paints on it. */
export const Passages = memo(({ transcript, article, onCopy }: PassagesProps) => {
  const { video, language, passages } = transcript;
  const headings = groupChapters(passages, video.chapters ?? []);
  return (
    <article ref={article} className="passages" lang={language.delivered} aria-label="Transcript">
      {passages.map((passage, index) => [
        headings.get(index)?.map(({ start, title }) => (
          <h3 key={`${start} ${title}`} dir="auto">
            {title}
          </h3>
        )),
        // biome-ignore lint/suspicious/noArrayIndexKey: passages never move
        <Line key={index} passage={passage} index={index} onCopy={onCopy} />,
      ])}
    </article>
  );
});
