const PARTS = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;
const HEXADECIMAL = /^[0-9a-f]{32}$/;

/** As everybody but this database knows it. */
export const publicId = (id: string): string => id.replaceAll('-', '');

/** As the database knows it; null where it can be nobody's. */
export const storedId = (publicId: string): string | null =>
  HEXADECIMAL.test(publicId) ? publicId.replace(PARTS, '$1-$2-$3-$4-$5') : null;
