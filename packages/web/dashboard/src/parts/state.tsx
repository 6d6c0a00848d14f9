import { states } from '../words.ts';

/** Never by colour alone: a dot, and the word. */
export const State = ({ of }: { of: string }) => {
  const [word, tone] = states[of] ?? [of, 'quiet'];
  return <span className={`state-word ${tone}`}>{word}</span>;
};
