import { visible } from '@augury/wire/text'

/** Control characters but tabs and line ends, and halves of letters. */
const UNWRITTEN = /[^\P{Cc}\t\n]|\p{Cs}/gu

/**
 * A text that strangers bring, made safe to show and to store: what members type is refused for control characters and reduced to what is
 * visible, and here, where the author cannot be asked for another, the former are left out. Cut to a length.
 */
export function plain(text: string, most: number): string {
  const cut = visible(text.replace(UNWRITTEN, '')).trim().slice(0, most)
  return cut.isWellFormed() ? cut : cut.slice(0, -1)
}

/** The same in one line. */
export const plainLine = (text: string, most: number): string => plain(text.replace(/\s+/g, ' '), most)
