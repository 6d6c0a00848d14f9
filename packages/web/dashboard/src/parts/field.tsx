import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';

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

export const Area = ({ label, hint, ...area }: TextareaHTMLAttributes<HTMLTextAreaElement> & Labels) => {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea id={id} {...area} aria-describedby={hint ? `${id}-hint` : undefined} />
      {hint && (
        <p id={`${id}-hint`} className="note">
          {hint}
        </p>
      )}
    </div>
  );
};

type Options = readonly (readonly [value: string, text: string])[];
type SelectProps = SelectHTMLAttributes<HTMLSelectElement> &
  Labels & {
    options: Options;
    /** Below the options, each under its name. */
    groups?: readonly (readonly [name: string, options: Options])[];
  };

const optionsOf = (options: Options) =>
  options.map(([value, text]) => (
    <option key={value} value={value}>
      {text}
    </option>
  ));

export const Select = ({ label, hint, options, groups = [], ...select }: SelectProps) => {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} {...select} aria-describedby={hint ? `${id}-hint` : undefined}>
        {optionsOf(options)}
        {groups.map(([name, ofGroup]) => (
          <optgroup key={name} label={name}>
            {optionsOf(ofGroup)}
          </optgroup>
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
