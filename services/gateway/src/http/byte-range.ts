/** Bytes from `start` to `end`, the last one included. */
export type WantedRange = { readonly start: number; readonly end: number };

const oneRange = /^bytes=(\d{0,15})-(\d{0,15})$/;

/**
 * What a Range header asks for of `size` bytes (RFC 9110, section 14): null for the whole, as for what is no single range of
 * bytes, which a server may ignore; `unsatisfiable` if it begins behind the end.
 */
export const wantedRange = (
  header: string | undefined,
  size: number,
): WantedRange | 'unsatisfiable' | null => {
  const [, first = '', last = ''] = oneRange.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return null;
  if (first === '') {
    const suffix = Number(last);
    return suffix === 0 ? 'unsatisfiable' : { start: Math.max(0, size - suffix), end: size - 1 };
  }
  const [start, end] = [Number(first), last === '' ? size - 1 : Math.min(Number(last), size - 1)];
  if (last !== '' && Number(last) < start) return null;
  return start >= size ? 'unsatisfiable' : { start, end };
};
