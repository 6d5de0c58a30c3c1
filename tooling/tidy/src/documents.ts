import type { Source } from './sources.ts'

/** A block of code of a document, with the line that it begins at. */
export interface CodeBlock {
  language: string
  code: string
  line: number
}

/** What a document says besides its prose. */
export interface Document {
  path: string
  blocks: CodeBlock[]
  /** Texts between backticks, outside of blocks. */
  inline: string[]
  /** Targets of its links and pictures. */
  links: string[]
  /** What an address may end with after `#`. */
  anchors: Set<string>
}

/** Whether a file is a document that people read: not what a tool left there, nor notes beside test data. */
export const isDocument = ({ path }: Source): boolean => path.endsWith('.md') && !/(^|\/)(project\.inlang|vectors)\//.test(path)

/** Whether a document is a guide of the site: its links are addresses of the site. */
export const isGuide = (path: string): boolean => path.startsWith('apps/web/src/docs/')

/** Reads a document. */
export function readDocument({ path, text }: Source): Document {
  const blocks: CodeBlock[] = []
  let open: CodeBlock | null = null
  const prose: string[] = []
  for (const [n, line] of text.split('\n').entries()) {
    const fence = /^```(\w*)/.exec(line)
    if (!fence) {
      if (open) open.code += `${line}\n`
      else prose.push(line)
    } else if (open) open = null
    else {
      open = { language: fence[1]!, code: '', line: n + 1 }
      blocks.push(open)
    }
  }
  const rest = prose.join('\n')
  const unquoted = rest.replace(/`[^`]*`/g, '')
  return {
    path,
    blocks,
    inline: [...rest.matchAll(/`([^`]+)`/g)].map(([, code]) => code!.replace(/\s+/g, ' ')),
    links: [...unquoted.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!),
    anchors: new Set(isGuide(path) ? guideAnchors(prose) : headingAnchors(prose)),
  }
}

/** Anchors as hosts of repositories make them: of every heading, numbered where one is there already. */
function headingAnchors(lines: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return lines.flatMap((line) => {
    const heading = /^#{1,6} (.*)$/.exec(line)?.[1]
    if (heading === undefined) return []
    const anchor = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-')
    const times = seen.get(anchor) ?? 0
    seen.set(anchor, times + 1)
    return [times === 0 ? anchor : `${anchor}-${times}`]
  })
}

/** Anchors as the site's pages of guides make them: of headings of the second level. */
const guideAnchors = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => {
    const heading = /^## (.*)$/.exec(line)?.[1]
    return heading === undefined
      ? []
      : [
          heading
            .toLowerCase()
            .replace(/[^a-z0-9]+/g, '-')
            .replace(/^-|-$/g, ''),
        ]
  })

/** A command of a shell, taken apart: what is set for it, its program, and its arguments. Null for a line without one. */
export interface ShellCommand {
  program: string
  args: string[]
}

/** Takes a line of a shell script apart, as far as documents use it: words, quotes, settings before the program, a comment behind. */
export function readCommand(line: string): ShellCommand | null {
  const words = [...line.matchAll(/\s*(#.*|(?:"[^"]*"|'[^']*'|[^\s"'#]|\B#)+)/g)]
    .map(([, word]) => word!)
    .filter((word) => !word.startsWith('#'))
    .map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'))
  const begin = words.findIndex((word) => !/^[A-Z_]+=/.test(word))
  return begin === -1 ? null : { program: words[begin]!, args: words.slice(begin + 1) }
}

/** The commands of a block for a shell, one a line; a backslash joins lines. */
export const commandsOf = ({ code }: CodeBlock): ShellCommand[] =>
  code
    .replaceAll('\\\n', ' ')
    .split('\n')
    .flatMap((line) => readCommand(line) ?? [])
