import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useId } from 'react';

type Labels = { label: string; hint?: ReactNode };

export const Field = ({ label, hint, ...input }: InputHTMLAttributes<HTMLInputElement> & Labels) => {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} {...input} aria-describedby={hint ? `${id}-hint` : undefined} />
      {hint && (
        <p id={`${id}-hint`} className="note">
          {hint}
        </p>
      )}
    </div>
  );
};

type SelectProps = SelectHTMLAttributes<HTMLSelectElement> &
  Labels & { options: readonly (readonly [value: string, text: string])[] };

export const Select = ({ label, hint, options, ...select }: SelectProps) => {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} {...select} aria-describedby={hint ? `${id}-hint` : undefined}>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      {hint && (
        <p id={`${id}-hint`} className="note">
          {hint}
        </p>
      )}
    </div>
  );
};

export const Check = ({
  label,
  hint,
  ...input
}: InputHTMLAttributes<HTMLInputElement> & { label: ReactNode; hint?: ReactNode }) => (
  <label className="check">
    <input type="checkbox" {...input} />
    <span>
      {label}
      {hint && <span className="note">{hint}</span>}
    </span>
  </label>
);

/** The trimmed text of a field of a form. */
export const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();
