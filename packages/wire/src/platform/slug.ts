/** A text as part of an address: lower-case words joined by hyphens, marks dropped, at most so many characters; empty where nothing is left. */
export const slugOf = (text: string, most = 150): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, most)
    .replace(/-+$/, '')
