import { type ReactNode, useState } from 'react';
import { Icon } from '../icon.tsx';

const SHOWN_MS = 2_000;

export const Copy = ({ text, label }: { text: string; label: ReactNode }) => {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <button className="button small" type="button" onClick={copy}>
      <Icon name={isCopied ? 'check' : 'copy'} />
      <span aria-live="polite">{isCopied ? 'Copied' : label}</span>
    </button>
  );
};

/** A secret that is shown this once. */
export const Secret = ({ text, label }: { text: string; label: string }) => (
  <p className="secret">
    <code>{text}</code>
    <Copy text={text} label={label} />
  </p>
);

/** A command to paste. It takes the focus, so that the keyboard scrolls it. */
export const Command = ({ label, text }: { label: string; text: string }) => (
  <figure className="command">
    <figcaption className="row between">
      {label} <Copy text={text} label="Copy" />
    </figcaption>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls takes the focus */}
    <pre tabIndex={0} dir="auto">
      <code>{text}</code>
    </pre>
  </figure>
);
