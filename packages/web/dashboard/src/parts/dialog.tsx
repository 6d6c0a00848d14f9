import { type MouseEvent, type ReactNode, useEffect, useId, useRef } from 'react';

type Props = { title: string; onClose: () => void; children: ReactNode };

/** What was entered in a dialog ends with its page, so its links open a tab. */
const openTab = (event: MouseEvent): void => {
  const link = (event.target as Element).closest('a');
  if (!link?.href || link.download) return;
  link.target = '_blank';
  event.stopPropagation();
};

/** The browser's own dialog: it keeps the focus inside, and Escape closes it. Shown as long as it is rendered. */
export const Dialog = ({ title, onClose, children }: Props) => {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog ref={ref} className="dialog" aria-labelledby={id} onClose={onClose} onClickCapture={openTab}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
};

type ConfirmProps = Props & {
  readonly actions: readonly {
    readonly name: string;
    readonly act: () => void;
    readonly isDanger?: boolean;
  }[];
  readonly isPending: boolean;
};

/** A question with its answers; "Keep" leaves everything as it is. */
export const Confirm = ({ title, onClose, children, actions, isPending }: ConfirmProps) => (
  <Dialog title={title} onClose={onClose}>
    {children}
    <div className="row end">
      <button className="button" type="button" onClick={onClose}>
        Keep
      </button>
      {actions.map(({ name, act, isDanger }) => (
        <button
          key={name}
          className={isDanger ? 'button danger' : 'button'}
          type="button"
          disabled={isPending}
          onClick={act}
        >
          {name}
        </button>
      ))}
    </div>
  </Dialog>
);
