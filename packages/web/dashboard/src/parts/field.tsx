import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';

type Labels = { label: string; hint?: ReactNode };
type Ids = { id: string; 'aria-describedby': string | undefined };

/** A control below its label and above its hint, both of which a screen reader says. */
const Labelled = ({ label, hint, control }: Labels & { control: (ids: Ids) => ReactNode }) => {
  const id = useId();
  const hintId = hint ? `${id}-hint` : undefined;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {control({ id, 'aria-describedby': hintId })}
      {hint && (
        <p id={hintId} className="note">
          {hint}
        </p>
      )}
    </div>
  );
};

export const Field = ({ label, hint, ...input }: InputHTMLAttributes<HTMLInputElement> & Labels) => (
  <Labelled label={label} hint={hint} control={(ids) => <input {...input} {...ids} />} />
);

export const Area = ({ label, hint, ...area }: TextareaHTMLAttributes<HTMLTextAreaElement> & Labels) => (
  <Labelled label={label} hint={hint} control={(ids) => <textarea {...area} {...ids} />} />
);

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
  const control = (ids: Ids) => (
    <select {...select} {...ids}>
      {optionsOf(options)}
      {groups.map(([name, ofGroup]) => (
        <optgroup key={name} label={name}>
          {optionsOf(ofGroup)}
        </optgroup>
      ))}
    </select>
  );
  return <Labelled label={label} hint={hint} control={control} />;
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
export const readText = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();
