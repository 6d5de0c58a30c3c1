/** What steers a terminal or a page, joins letters unseen, or is half of a letter; all but tabs and ends of lines. */
const STEERING = /[^\P{C}\t\n]|[\p{Zl}\p{Zp}]/gu

/** A stranger's text as one that people may be shown, at most so long: without what a terminal or a page could take for more than letters. */
export function plain(text: string, most: number): string {
  const cut = text.replace(STEERING, '').trim().slice(0, most)
  return cut.isWellFormed() ? cut : cut.slice(0, -1)
}
