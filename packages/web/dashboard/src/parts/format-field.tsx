import type { TranscriptFormat } from '@transcript-delivery/sdk';
import { mainFormats, moreFormats } from '../formats.ts';
import { Select } from './field.tsx';

type FormatFieldProps = {
  readonly value?: TranscriptFormat;
  readonly onChoose?: (format: TranscriptFormat) => void;
};

/** Its name in a form is `format`. */
export const FormatField = ({ value, onChoose }: FormatFieldProps) => (
  <Select
    label="Format"
    name="format"
    options={mainFormats}
    groups={[['More formats', moreFormats]]}
    {...(value && { value })}
    onChange={({ currentTarget }) => onChoose?.(currentTarget.value as TranscriptFormat)}
  />
);
