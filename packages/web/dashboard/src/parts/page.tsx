import { isolate } from '@tds/contracts/isolated';
import { type ReactNode, useEffect, useRef } from 'react';

type PageProps = {
  title: string;
  note?: ReactNode;
  actions?: ReactNode;
  /** Links to the views beside it. */
  tabs?: ReactNode;
  children: ReactNode;
};

/** A view: its heading, what can be done in it, and its title in the browser. */
export const Page = ({ title, note, actions, tabs, children }: PageProps) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${isolate(title)} - Transcripts`;
  }, [title]);
  // The step to it has moved the focus to where it is now.
  useEffect(() => {
    if (document.activeElement?.id === 'main') heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <header className="top">
        <div>
          <h1 ref={heading} dir="auto" tabIndex={-1}>
            {title}
          </h1>
          {note && <p className="soft">{note}</p>}
        </div>
        {actions && <div className="row">{actions}</div>}
      </header>
      {tabs}
      {children}
    </>
  );
};

/** A box with a heading; `flush` lets a table reach its edges. */
export const Box = ({
  title,
  actions,
  flush,
  children,
}: {
  title?: string;
  actions?: ReactNode;
  flush?: boolean;
  children: ReactNode;
}) => (
  <section className={flush ? 'box flush' : 'box'}>
    {title && (
      <div className="row between box-head">
        <h2>{title}</h2>
        {actions}
      </div>
    )}
    {children}
  </section>
);

export const Figure = ({ name, value, note }: { name: string; value: ReactNode; note?: ReactNode }) => (
  <div className="figure">
    <dt>{name}</dt>
    <dd className="value">{value}</dd>
    {note && <dd className="note">{note}</dd>}
  </div>
);
