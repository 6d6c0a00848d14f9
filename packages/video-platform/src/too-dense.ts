const MARKS: ReadonlySet<number> = new Set([...'{[<&'].map((mark) => mark.charCodeAt(0)));

/** Whether a body has more brackets, tags and entities than `most`: what costs a parser its time. Nobody waits for the count of a short one. */
export const isTooDense = (body: string, most: number): boolean => {
  let left = most;
  for (let at = 0; body.length - at > left; at += 1) {
    if (MARKS.has(body.charCodeAt(at))) left -= 1;
    if (left < 0) return true;
  }
  return false;
};
