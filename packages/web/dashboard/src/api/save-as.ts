const ENOUGH_MS = 60_000;

/** Offers bytes as a file of the browser. */
export const saveAs = (name: string, content: Blob): void => {
  const href = URL.createObjectURL(content);
  const link = Object.assign(document.createElement('a'), { href, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(href), ENOUGH_MS);
};
