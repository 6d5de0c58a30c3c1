import type { Level } from './book.ts'

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? 0xedb88320 ^ (rest >>> 1) : rest >>> 1
  return rest
})

/** CRC-32 (as in zip) of an ASCII text. */
export function crc32(text: string): number {
  let rest = 0xffffffff
  for (let i = 0; i < text.length; i++) rest = TABLE[(rest ^ text.charCodeAt(i)) & 0xff]! ^ (rest >>> 8)
  return (rest ^ 0xffffffff) >>> 0
}

/**
 * Checksum of the top of a book, best first: CRC-32 of `price:size` of up to ten bids joined by `,`, a `|`, and the asks likewise.
 * Taken over the condition's first token, as the other one's book mirrors it.
 */
export function bookChecksum(bids: readonly Level[], asks: readonly Level[]): number {
  const top = (levels: readonly Level[]) =>
    levels
      .slice(0, 10)
      .map(({ price, size }) => `${price}:${size}`)
      .join(',')
  return crc32(`${top(bids)}|${top(asks)}`)
}
