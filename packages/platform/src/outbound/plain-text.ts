/** A stranger's text as one that people may be shown, at most so long: without what a terminal or a page could take for more than letters. */
export const plain = (text: string, most: number): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .trim()
    .slice(0, most)
