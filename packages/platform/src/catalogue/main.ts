import { readFile } from 'node:fs/promises'
import { stdout } from 'node:process'
import { NoAnswerError, RefusedError } from '@augury/client/answer'
import { migratePlatform } from '@augury/domain/platform/database'
import { workerSettings } from '@augury/settings/env'
import { operatorClient } from '../exchange/operator-client.ts'
import { openPlatform } from '../site/platform.ts'
import { DiscoveryError, discoveryText } from './discovery-text.ts'
import { countFindings, isLoss } from './finding.ts'
import { type ImportReport, importCatalogue } from './import-catalogue.ts'
import { registering } from './register-condition.ts'
import { seedCategories } from './usual-categories.ts'

const USAGE = `Usage: npm run import -- FILE [--details] [--json] [--reopen]

FILE has events or markets in the discovery format: a list of events like data/catalogue.json, a page of a list, one event, markets that
name their events, or one of these a line; also compressed by gzip. A market may have a priceHistory, a list of {"t": Unix seconds, "p": price
of Yes}, oldest or newest first, which charts show as imported from before its first price here.

  --details  lists every remark, also on what was adjusted or closed in the file
  --json     prints the report as JSON, and nothing else
  --reopen   opens also what is closed, archived, decided or over in the file; dates that have passed move by whole years, with the texts

Exit codes: 0 everything in the file is on the site; 1 the import failed; 2 wrong usage; 3 something was left out, and the report says why.`

const FLAGS = ['--details', '--json', '--reopen']
const [file, ...options] = process.argv.slice(2)
const has = (flag: string) => options.includes(flag)

/** An explanation of an error that the user can fix; null for a bug. */
function explain(error: unknown): string | null {
  if (error instanceof DiscoveryError) return `${file} is ${error.message}.`
  if (error instanceof NoAnswerError)
    return `The order-book service does not answer: ${error.message}. What was registered so far stays; run the same command again.`
  if (error instanceof RefusedError)
    return `The order-book service refused: ${error.message} (${error.code ?? error.status}). What was registered so far stays.`
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return `There is no file ${file}.`
  if (error instanceof Error && 'code' in error && error.code === 'EISDIR') return `${file} is a folder.`
  return null
}

const say = (text: string) => void stdout.write(`${text}\n`)

/** Prints what an import did, for people. */
function tell({ events, markets, stored, registered, findings }: ImportReport): void {
  for (const [kind, count] of countFindings(findings)) say(`${kind}: ${count}`)
  const isShown = (finding: ImportReport['findings'][number]) => has('--details') || (isLoss(finding) && finding.kind !== 'not_open')
  for (const { kind, place, text } of findings.filter(isShown)) say(`  ${place} ${kind}: ${text}`)
  const left = findings.filter(isLoss).length
  say(
    `${events} events with ${markets} markets read, ${stored} markets new, ${registered} registered on the exchange, ${left === 0 ? 'nothing' : `${left} things`} left out.`,
  )
}

if (file === undefined || file.startsWith('-') || options.some((option) => !FLAGS.includes(option))) {
  say(USAGE)
  process.exitCode = 2
} else {
  const settings = workerSettings()
  await migratePlatform(settings.databaseUrl)
  const platform = await openPlatform(settings.databaseUrl)
  try {
    const text = discoveryText(await readFile(file))
    const operator = await operatorClient({
      url: settings.clobUrl,
      publicUrl: settings.publicClobUrl,
      walletKey: settings.platformWalletKey,
    })
    await seedCategories(platform)
    const report = await importCatalogue(platform, {
      text,
      creator: operator.address,
      register: registering(async () => operator),
      progress: (done, total) => !has('--json') && (done % 50 === 0 || done === total) && say(`registered ${done} of ${total} markets`),
      reopen: has('--reopen'),
    })
    if (has('--json')) say(JSON.stringify(report))
    else tell(report)
    if (report.findings.some(isLoss)) process.exitCode = 3
  } catch (error) {
    const reason = explain(error)
    if (reason === null) throw error
    say(has('--json') ? JSON.stringify({ error: reason }) : reason)
    process.exitCode = 1
  } finally {
    await platform.close()
  }
}
