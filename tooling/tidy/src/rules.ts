import { LINES_MAX, TEST_LINES_MAX } from './architecture.ts'
import { isTest, type Source } from './sources.ts'

/** A rule of the repository that a file's text can break. */
export interface Rule {
  /** What the author should do instead. */
  name: string
  appliesTo: (path: string) => boolean
  /** Matches violations. */
  pattern: RegExp
}

const code = (path: string) => /\.(ts|mjs|svelte)$/.test(path)
const test = (path: string) => /\/(test|e2e)\/.*\.ts$/.test(path)
const everywhere = (path: string) => !path.startsWith('tooling/tidy/') // which has to contain what it looks for

/** Sources of the programs with secrets that callers can guess at. */
const KNOWS_SECRETS = /^(packages\/(signing|venue|platform|rest|api)\/src|apps\/[\w-]+\/src)\/.*\.ts$/
const SECRET_NAME =
  '[\\w.]*(?:[sS]ecret|[pP]assphrase(?:Hash)?|[sS]ignature|[hH]mac|[pP]assword|[rR]ecoveryCode|[tT]okenHash|[sS]essionToken)'
/** Anything but what means “none”, or a word of our own. */
const GUESS = `(?!\\s*(?:null\\b|undefined\\b|['"\`]|\\d))`

// The settings, the bootstrap that runs before anything is installed, and the server of the site, whose adapter takes its options from the
// environment only.
const READS_ENVIRONMENT = /^(packages\/settings\/src\/env\.ts|tooling\/start\/.*|apps\/web\/server\.mjs)$/

/** What no file may contain. */
export const rules: readonly Rule[] = [
  {
    name: 'finish it, or open an issue',
    appliesTo: everywhere,
    pattern: /\b(TODO|FIXME|XXX|HACK)\b/,
  },
  {
    name: 'read the environment in settings/env only',
    appliesTo: (path) => everywhere(path) && code(path) && !READS_ENVIRONMENT.test(path),
    pattern: /process\.env\b|process\[['"]env['"]\]|\$env\/|import\.meta\.env\.(?!(DEV|PROD|SSR|MODE)\b)/,
  },
  {
    name: 'keep the paths of your own machine to yourself',
    appliesTo: everywhere,
    pattern: /(?<![\w.@-])\/(home|Users|root|work)\/[\w.-]+\//,
  },
  {
    name: 'a package comes from wherever the reader gets packages: name no registry',
    appliesTo: everywhere,
    pattern: /https?:\/\/[\w.-]*\bregistry\b|\btarball: *https?:/,
  },
  {
    name: 'compare secrets by timingSafeEqual: no answer takes longer the more of a guess is right',
    appliesTo: (path) => KNOWS_SECRETS.test(path),
    pattern: new RegExp(`${SECRET_NAME}(?:\\(\\))?(?:\\s*[!=]==?${GUESS}(?!=)|\\.equals\\()|[\\w)] ?[!=]==? ?${SECRET_NAME}\\b(?![\\w.(])`),
  },
  {
    name: 'let Svelte escape what pages show; the guides and the drawing of what failed are our own text',
    appliesTo: (path) => /^apps\/web\/src\/.*\.svelte$/.test(path),
    pattern: /\{@html (?!(?:data\.guide\.html|BROKEN_WAY)\})/,
  },
  {
    name: 'place by a cell: WebKit places nothing by the row of a table, so what covers a row would cover the table',
    appliesTo: (path) => /^apps\/web\/src\/.*\.(svelte|css)$/.test(path),
    pattern: /\btr(?![\w-])[^{}<>;]*\{[^}]*\bposition: *relative/,
  },
  {
    name: 'measure letters in rem: the browser’s text size then applies',
    appliesTo: (path) => /^apps\/web\/src\/.*\.(svelte|css)$/.test(path),
    pattern: /^\s*font(-size)?: [^;\n]*\dpx|\dpx[^;\n]*var\(--font\)/m,
  },
  {
    name: 'run every test',
    appliesTo: (path) => everywhere(path) && test(path),
    pattern: /\b(test|it|describe|suite)\.(skip|only|todo|fails|fixme|skipIf|runIf)\b|\b(xit|xdescribe|xtest|fit|fdescribe)\(/,
  },
  {
    name: 'take properties from @augury/testing/properties: they look at the same cases in every run',
    appliesTo: (path) => everywhere(path) && code(path) && path !== 'packages/testing/src/properties.ts',
    pattern: /from 'fast-check'/,
  },
  {
    name: 'import the file you mean',
    appliesTo: (path) => everywhere(path) && code(path),
    pattern: /^export \* from/m,
  },
  {
    name: 'no waiver without a reason',
    appliesTo: (path) => everywhere(path) && code(path),
    pattern: /@ts-ignore|@ts-nocheck|biome-ignore(-\w+)? [\w/]+:\s*(\*\/|-->)?\s*$/m,
  },
]

/** File and folder names that say nothing. */
const EMPTY_NAME = /^(index|utils?|common|helpers?|types|misc|shared|lib)(\.test)?(\.svelte)?(\.(ts|mjs|svelte))?$/

/** The parts of a path that say nothing. `src/lib` is SvelteKit's. */
export function emptyNames(path: string): string[] {
  const parts = path.replace('apps/web/src/lib/', 'apps/web/src/').split('/')
  return code(path) ? parts.filter((part) => EMPTY_NAME.test(part)) : []
}

/** Lines of a file as an editor counts them. */
export const countLines = (text: string): number => text.replace(/\n$/, '').split('\n').length

/** Whether a file is longer than allowed. */
export const isTooLong = (source: Source): boolean => countLines(source.text) > (isTest(source) ? TEST_LINES_MAX : LINES_MAX)

/** What a pure package must not use; each match is one violation. Comments do not count. */
export function impurities(text: string): string[] {
  const bare = text.replace(/\/\*.*?\*\//gs, '').replace(/\/\/.*$/gm, '')
  return [
    ...bare.matchAll(
      /\b(Date\.now|new Date|Math\.random|performance\.|process\.|console\.|setTimeout|setInterval|setImmediate|queueMicrotask|fetch\(|crypto\.|globalThis|require\(|await )/g,
    ),
  ].map(([found]) => found)
}
