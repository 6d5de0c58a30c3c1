/** A piece of a text: a link, or what stands between two. */
interface Piece {
  text: string
  /** Web address of a link; null for plain text. */
  href: string | null
}

/** An address ends before the stops and brackets of its sentence. A link of Markdown has a name in which no other address stands. */
const LINK = /(\[[^[\]\n]{1,200}\]\(https?:\/\/[^\s<>"“”()]+\)|https?:\/\/[^\s<>"“”]*[^\s<>"“”.,;:!?'’)\]])/
const NAMED = /^\[([^\]]+)\]\((.+)\)$/

/** The pieces of a text, in order. Only `http` and `https` are linked; a name that is an address itself would hide where its link leads. */
export const piecesOf = (text: string): Piece[] =>
  text
    .split(LINK)
    .flatMap((piece, i): Piece[] => {
      if (i % 2 === 0) return [{ text: piece, href: null }]
      const [, name = piece, href = piece] = NAMED.exec(piece) ?? []
      if (name !== piece && /:\/\/|www\./i.test(name))
        return [
          { text: `${name} (`, href: null },
          { text: href, href },
          { text: ')', href: null },
        ]
      return [URL.canParse(href) ? { text: name, href } : { text: piece, href: null }]
    })
    .filter(({ text: piece }) => piece !== '')
