import { type ReactNode, useState } from 'react';
import { languageChoices, type VideoFacts } from '../languages.ts';
import { Field, Select } from './field.tsx';

const MAX_TAG_LENGTH = 64;
const OTHER = '';

type LanguageFieldProps = {
  readonly value: string;
  /** Of one video; null if it is about many. */
  readonly facts?: VideoFacts | null;
  readonly hint?: string;
  readonly onChoose?: (language: string) => void;
  /** Beside the field for a tag. */
  readonly children?: ReactNode;
};

/** One list: what is spoken, the captions of the video, translations, and any other language by its tag. Its name in a form is `language`. */
export const LanguageField = ({ value, facts = null, hint, onChoose, children }: LanguageFieldProps) => {
  const [isOther, setOther] = useState(false);
  const { first, tracks, translations } = languageChoices(facts, value);
  const translated = facts ? 'Translated by machine' : 'Where it is missing, translated by machine';
  return (
    <>
      <Select
        label="Language"
        name={isOther ? undefined : 'language'}
        hint={hint}
        options={first}
        groups={[
          ...(tracks.length > 0 ? [['Captions of the video', tracks] as const] : []),
          [translated, translations],
          ['Any other', [[OTHER, 'Another language…']]],
        ]}
        {...(onChoose ? { value: isOther ? OTHER : value } : { defaultValue: value })}
        onChange={({ currentTarget: { value: chosen } }) => {
          setOther(chosen === OTHER);
          if (chosen !== OTHER) onChoose?.(chosen);
        }}
      />
      {isOther && (
        <>
          <Field
            label="Tag of the language"
            name="language"
            required
            maxLength={MAX_TAG_LENGTH}
            autoComplete="off"
            placeholder="pt-BR"
            hint="Such as pt-BR, or several in order of preference: de,en."
          />
          {children}
        </>
      )}
    </>
  );
};
