const pad = (value: number, digits = 2): string => String(value).padStart(digits, '0');

const clockParts = (wholeSeconds: number): [hours: number, minutes: number, seconds: number] => [
  Math.floor(wholeSeconds / 3600),
  Math.floor(wholeSeconds / 60) % 60,
  wholeSeconds % 60,
];

/** `MM:SS`, from one hour on `H:MM:SS`. */
export const readingTime = (wholeSeconds: number): string => {
  const [hours, minutes, seconds] = clockParts(wholeSeconds);
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds)}` : `${pad(minutes)}:${pad(seconds)}`;
};

/** `HH:MM:SS,mmm` (SubRip) or `HH:MM:SS.mmm` (WebVTT) of whole milliseconds; hours take more digits from 100 on. */
export const subtitleTime = (wholeMs: number, decimalMark: ',' | '.'): string => {
  const [hours, minutes, seconds] = clockParts(Math.floor(wholeMs / 1000));
  return `${pad(hours)}:${pad(minutes)}:${pad(seconds)}${decimalMark}${pad(wholeMs % 1000, 3)}`;
};
