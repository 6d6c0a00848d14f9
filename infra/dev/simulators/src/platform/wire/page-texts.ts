const MINUTE_S = 60;
const HOUR_S = 3_600;
const two = (value: number): string => String(value).padStart(2, '0');

/** `1:07:34` or `12:05`. */
export const clockText = (seconds: number): string => {
  const [hours, minutes] = [Math.floor(seconds / HOUR_S), Math.floor((seconds % HOUR_S) / MINUTE_S)];
  const rest = two(seconds % MINUTE_S);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
};

export const simpleText = (text: string) => ({ simpleText: text });
export const runs = (text: string) => ({ runs: [{ text }] });
export const thumbnailsOf = (videoId: string) => ({
  thumbnails: [{ url: `https://i.ytimg.com/vi/${videoId}/hqdefault.jpg`, width: 336, height: 188 }],
});
export const alert = (type: 'INFO' | 'ERROR', text: string) => ({
  alertRenderer: { type, text: runs(text) },
});

/** Nests a value below the names of a path; `[]` is a list of one. */
export const below = (path: string, value: unknown): object =>
  path
    .split('.')
    .reduceRight<unknown>((inner, name) => (name === '[]' ? [inner] : { [name]: inner }), value) as object;
