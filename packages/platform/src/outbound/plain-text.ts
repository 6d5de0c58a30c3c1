/** Control and invisible characters and lone surrogates, except tabs and line ends. */
const STEERING = /[^\P{C}\t\n]|[\p{Zl}\p{Zp}]/gu

/** An untrusted text made safe to show: without control and invisible characters, cut to a length. */
export function plain(text: string, most: number): string {
  const cut = text.replace(STEERING, '').trim().slice(0, most)
  return cut.isWellFormed() ? cut : cut.slice(0, -1)
}
