/** What costs a parser its time, by its character codes. */
type Marks = { readonly [code: number]: 1 | undefined };

const marksOf = (marks: string): Marks =>
  Object.fromEntries([...marks].map((mark) => [mark.charCodeAt(0), 1]));

/** Brackets, tags and entities: of captions and feeds, whose texts have quotes. */
export const MARKUP = marksOf('{[<&');
/** Brackets and quotes, which every field and every text has two of. */
export const JSON_MARKS = marksOf('{["');

/** Whether a body has more of these marks than `most`. Nobody waits for the count of a short one. */
export const isTooDense = (body: string, marks: Marks, most: number): boolean => {
  let left = most;
  for (let at = 0; body.length - at > left; at += 1) {
    if (marks[body.charCodeAt(at)] === 1) left -= 1;
    if (left < 0) return true;
  }
  return false;
};
