import { useState } from 'react';
import { Field } from './field.tsx';

/** A field that narrows a list to the rows that hold the words, among those that are loaded. */
export const useSearch = () => {
  const [words, setWords] = useState('');
  const wanted = words.trim().toLowerCase();
  return {
    isOn: wanted !== '',
    holds: (...texts: readonly (string | null)[]): boolean =>
      texts.some((text) => text?.toLowerCase().includes(wanted)),
    field: (
      <Field
        label="Search"
        type="search"
        autoComplete="off"
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
      />
    ),
  };
};
