import { existsSync, globSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'

/**
 * Finds the tests nearest to a path of the repository, as vitest takes them: a test itself, the tests below a folder, or else those of its
 * package. Undefined for a path that has none, is not there, is outside the repository or all of it, or is a browser journey.
 */
export function nearestTests(root: string, path: string): string | undefined {
  const whole = resolve(root, path)
  if (!existsSync(whole) || whole.endsWith('.journey.ts')) return undefined
  if (whole.endsWith('.test.ts')) return whole
  const folder = relative(root, statSync(whole).isDirectory() ? whole : dirname(whole))
  const [group = '', name] = folder.split(sep)
  if (group === '' || group === '..') return undefined
  const folders = name === undefined ? [group] : [folder, join(group, name)]
  const nearest = folders.find((each) => hasTests(join(root, each)))
  // The end of the name keeps out a neighbour whose name begins alike.
  return nearest === undefined ? undefined : join(root, nearest, sep)
}

const hasTests = (folder: string) => globSync('**/*.test.ts', { cwd: folder, exclude: ['**/node_modules'] }).length > 0
