import { languageChoices, type VideoFacts } from '../languages.ts';
import { Select } from './field.tsx';

type LanguageFieldProps = {
  readonly value: string;
  /** Of one video; null if it is about many. */
  readonly facts?: VideoFacts | null;
  readonly onChoose?: (language: string) => void;
};

/** One list: what is spoken, the captions of the video, translations. Its name in a form is `language`. */
export const LanguageField = ({ value, facts = null, onChoose }: LanguageFieldProps) => {
  const { first, tracks, translations } = languageChoices(facts, value);
  const translated = facts ? 'Translate to' : 'Another one, translated by machine where it is missing';
  return (
    <Select
      label="Language"
      name="language"
      options={first}
      groups={[
        ...(tracks.length > 0 ? [['Captions of the video', tracks] as const] : []),
        [translated, translations],
      ]}
      {...(onChoose ? { value } : { defaultValue: value })}
      onChange={({ currentTarget }) => onChoose?.(currentTarget.value)}
    />
  );
};
