/** Slug of a text: lower-case words joined by hyphens, without diacritics, at most `most` characters; may be empty. */
export const slugOf = (text: string, most = 150): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, most)
    .replace(/-+$/, '')
