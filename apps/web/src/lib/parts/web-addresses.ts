/** A piece of a text: a web address, which can be followed, or what stands between two. */
interface Piece {
  text: string
  address: boolean
}

/** An address ends before the stops and brackets of its sentence. */
const ADDRESS = /(https?:\/\/[^\s<>"“”]*[^\s<>"“”.,;:!?'’)\]])/

/** The pieces of a text, in order. */
export const piecesOf = (text: string): Piece[] =>
  text
    .split(ADDRESS)
    .map((piece, i) => ({ text: piece, address: i % 2 === 1 && URL.canParse(piece) }))
    .filter(({ text: piece }) => piece !== '')
