import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isKnownFlag, MADE, problems } from '../src/commands.ts'
import { commandsOf, isDocument, isGuide, readCommand, readDocument } from '../src/documents.ts'
import { readSources, root } from '../src/sources.ts'

const sources = readSources()
const documents = sources.filter(isDocument).map(readDocument)
const byPath = new Map(documents.map((document) => [document.path, document]))

/**
 * Every block of code is of one of these kinds:
 * - **run**: a test takes the text out of the document and runs it against real programs. It is named here, and has to name the document.
 * - **parsed**: commands that start a whole system, run for hours or need machines that a test has not: their programs, files and flags
 *   are looked up below, in what the repository has.
 * - **other**: nothing that runs here: settings of other programs, and drawings.
 */
const RUN: Readonly<Record<string, string>> = {
  'packages/client/README.md ts': 'packages/client/test/package.test.ts',
  'apps/web/src/docs/first-bot.md ts': 'packages/client/test/package.test.ts',
  'packages/cli/README.md sh': 'packages/cli/test/readme.test.ts',
  'apps/web/src/docs/verify.md sh': 'packages/cli/test/readme.test.ts',
  'examples/member-script/README.md sh': 'examples/member-script/test/day.test.ts',
  'examples/third-party-client/README.md sh': 'examples/third-party-client/test/session.test.ts',
}
const PARSED = new Set([
  'README.md sh',
  'docs/README.md sh',
  'examples/market-maker/README.md sh',
  'apps/web/src/docs/leave.md sh', // the commands with these flags are run by packages/cli/test/leave.test.ts
  'apps/web/src/docs/money.md sh',
])
const OTHER = new Set([
  'docs/operations/backup.md conf',
  'docs/operations/backup.md sql',
  'docs/operations/prices.md env',
  'ARCHITECTURE.md text',
])
const blocks = documents.flatMap(({ path, blocks }) => blocks.map((block) => ({ ...block, path, kind: `${path} ${block.language}` })))

test('every block of code is run, parsed, or nothing that runs', () => {
  const kinds = new Set(blocks.map(({ kind }) => kind))
  expect([...kinds].filter((kind) => !(kind in RUN || PARSED.has(kind) || OTHER.has(kind)))).toEqual([])
  expect([...Object.keys(RUN), ...PARSED, ...OTHER].filter((kind) => !kinds.has(kind))).toEqual([])
})

test.each(Object.entries(RUN))('%s is run by %s', (kind, path) => {
  const document = kind.split(' ')[0]!.split('/').at(-1)!
  expect(readFileSync(join(root, path), 'utf8')).toContain(document)
})

describe.each([...byPath.keys()])('%s', (path) => {
  const { links, inline } = byPath.get(path)!

  test('its links lead somewhere, to headings too', () => {
    expect(links.filter((link) => !(isGuide(path) ? leadsInSite(link) : leadsInRepository(path, link)))).toEqual([])
  })

  test('files that it names are there', () => {
    const named = inline.filter((code) => /^(apps|packages|tooling|deploy|docs|examples|bench|data)\/[\w./-]+$/.test(code))
    expect(named.filter((file) => !existsSync(join(root, file)) && !MADE.has(file))).toEqual([])
  })

  test('commands that it names are there, with their flags', () => {
    const of = blocks.filter((block) => block.path === path && block.language === 'sh').flatMap(commandsOf)
    const within = inline.filter((code) => PROGRAM.test(code)).flatMap((code) => readCommand(code) ?? [])
    expect([...of, ...within].flatMap((command) => problems(command))).toEqual([])
  })

  test('TypeScript is run by the Node that was installed: the reader’s own may be 20, which cannot', () => {
    const lines = blocks.filter((block) => block.path === path && block.language === 'sh').flatMap(commandsOf)
    expect(lines.filter(({ program, args }) => program === 'node' && /\.ts$/.test(args[0] ?? ''))).toEqual([])
  })

  test('flags that it names by themselves belong to something', () => {
    const flags = inline.flatMap((code) => (code.startsWith('--') ? [/^--([\w-]+)/.exec(code)![1]!] : []))
    expect(flags.filter((flag) => !isKnownFlag(flag))).toEqual([])
  })
})

const PROGRAM = /^(npm|node|node_modules\/\.bin\/\w+|sh|docker|kubectl|vitest|augury(?! state root)) /

function leadsInRepository(from: string, link: string): boolean {
  if (/^https?:\/\//.test(link)) return false // nothing of ours is there, and what is there may go
  const [file, anchor] = link.split('#') as [string, string?]
  const target = file === '' ? from : normalize(join(dirname(from), file))
  if (!existsSync(join(root, target))) return false
  return anchor === undefined || (byPath.get(target)?.anchors.has(anchor) ?? false)
}

/** An address of the site: a guide, or a route with a page. */
function leadsInSite(link: string): boolean {
  const [path, anchor] = link.split('#') as [string, string?]
  const guide = byPath.get(`apps/web/src${path}.md`)
  if (guide) return anchor === undefined || guide.anchors.has(anchor)
  return anchor === undefined && path.startsWith('/') && existsSync(join(root, `apps/web/src/routes${path}/+page.svelte`))
}

test.each([
  [
    'npm run faults -- --kills 80 "kill -9 of the writer"  # hours',
    { program: 'npm', args: ['run', 'faults', '--', '--kills', '80', 'kill -9 of the writer'] },
  ],
  [`ORACLE='a b' node x.ts`, { program: 'node', args: ['x.ts'] }],
  ['# nothing', null],
])('the command %s is read', (line, command) => {
  expect(readCommand(line)).toEqual(command)
})

test.each([
  ['npm run dance', ['there is no script dance']],
  ['npm run faults -- --kils 80 writer', ['faults has no --kils']],
  ['npm run faults -- cancle', ['no fault is called cancle']],
  ['augury verify --acount', [expect.stringContaining('--acount')]],
  ['augury book', []],
  ['augury order buy', ['augury order buy']],
  ['sh deploy/make-env.sh one', ['deploy/make-env.sh takes 2 arguments']],
  ['node apps/none.ts', ['there is no apps/none.ts']],
  ['docker compose -f deploy/compose.yaml restart exchange', ['compose has no service exchange']],
  ['docker compose -f deploy/compose.yaml logs --tail=200 exchange-a', []],
  ['kubectl scale statefulset exchanges --replicas=0', ['the manifests have no statefulset exchanges']],
  ['kubectl create job again --from=cronjob/again', ['the manifests have no cronjob again']],
])('what is wrong with %s is seen', (line, wrong) => {
  expect(problems(readCommand(line)!)).toEqual(wrong)
})
