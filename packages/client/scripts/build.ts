import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'

/*
 * Builds the npm package into `dist`: JavaScript and types of this package and of the workspace packages it needs. As those are not published,
 * imports of them become relative paths. Nothing is bundled: every file is where its source is.
 */

const folder = join(import.meta.dirname, '..')
const dist = join(folder, 'dist')
const compiler = createRequire(import.meta.url).resolve('@typescript/native/package.json')

/** Rewrites the imports of an emitted file for its place in `dist`. */
function rewritten(text: string, place: string): string {
  const near = (path: string) => relative(dirname(place), path).replace(/^(?!\.)/, './')
  return text
    .replace(/(['"])@augury\/(\w+)\/([\w/-]+)\1/g, (_, quote, name, path) => `${quote}${near(`${name}/${path}.js`)}${quote}`)
    .replace(/import \{ z \} from (['"]zod['"])/g, 'import * as z from $1') // else some bundlers take all languages of its messages along
    .replace(/((?:from|import\()\s*['"]\.{1,2}\/[^'"]+)\.ts(['"])/g, '$1.js$2')
}

const emitted = mkdtempSync(join(tmpdir(), 'augury-build-'))
try {
  const tsc = join(dirname(compiler), 'bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', emitted], { cwd: folder, stdio: 'inherit' })
  rmSync(dist, { recursive: true, force: true })
  for (const file of readdirSync(emitted, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(js|d\.ts)$/.test(file)) continue
    const place = file.replace(/^(\w+)\/src\//, '$1/')
    mkdirSync(dirname(join(dist, place)), { recursive: true })
    writeFileSync(join(dist, place), rewritten(readFileSync(join(emitted, file), 'utf8'), place))
  }
} finally {
  rmSync(emitted, { recursive: true })
}
