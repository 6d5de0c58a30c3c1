import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './sources.ts'

/** The proof named by a row of a table: a file of the repository, and a text in it, such as the title of a test. */
export interface Proof {
  path: string
  name: string
}

/** Rows of Markdown tables by their first cell, with the proofs that they name: `[shown](../path) \`text\``. */
export const proofsIn = (markdown: string): { id: string; proofs: Proof[] }[] =>
  [...markdown.matchAll(/^\| (\w+) \|.*$/gm)]
    .filter(([, id]) => id !== 'Row')
    .map(([line, id]) => ({
      id: id!,
      proofs: [...line.matchAll(/\]\(\.\.\/([^)]+)\) `([^`]+)`/g)].map(([, path, name]) => ({ path: path!, name: name! })),
    }))

/** The missing proofs: no such file, or the text is not in it. No test is skipped: a rule refuses those. */
export const missing = (proofs: readonly Proof[]): Proof[] =>
  proofs.filter(({ path, name }) => !existsSync(join(root, path)) || !readFileSync(join(root, path), 'utf8').includes(name))
