import { readFile } from 'node:fs/promises'
import { stdout } from 'node:process'
import { NoAnswerError, RefusedError } from '@augury/client/answer'
import { migratePlatform } from '@augury/domain/platform/database'
import { workerSettings } from '@augury/settings/env'
import { operatorClient } from '../operator-client.ts'
import { openPlatform } from '../platform.ts'
import { DiscoveryError } from './discovery.ts'
import { countFindings } from './finding.ts'
import { importCatalogue } from './import-catalogue.ts'
import { registering } from './register-condition.ts'

const [file, ...options] = process.argv.slice(2)
/** An explanation of an error that the user can fix; null for a bug. */
function explain(error: unknown): string | null {
  if (error instanceof DiscoveryError) return `${file} is ${error.message}.`
  if (error instanceof NoAnswerError)
    return `The order-book service does not answer: ${error.message}. What was registered so far stays; run the same command again.`
  if (error instanceof RefusedError)
    return `The order-book service refused: ${error.message} (${error.code ?? error.status}). What was registered so far stays.`
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return `There is no file ${file}.`
  return null
}

const say = (text: string) => void stdout.write(`${text}\n`)

if (file === undefined || file.startsWith('-') || options.some((option) => option !== '--details')) {
  say('Usage: npm run import -- FILE [--details]\n\nFILE holds a JSON array of events in the discovery format, like data/catalogue.json.')
  process.exitCode = 2
} else {
  const settings = workerSettings()
  await migratePlatform(settings.databaseUrl)
  const platform = await openPlatform(settings.databaseUrl)
  try {
    const text = await readFile(file, 'utf8')
    const operator = await operatorClient({
      url: settings.clobUrl,
      publicUrl: settings.publicClobUrl,
      walletKey: settings.platformWalletKey,
    })
    const { events, markets, stored, registered, findings } = await importCatalogue(platform, {
      text,
      creator: operator.address,
      register: registering(async () => operator),
      progress: (done, total) => (done % 50 === 0 || done === total) && say(`registered ${done} of ${total} markets`),
    })
    for (const [kind, count] of countFindings(findings)) say(`${kind}: ${count}`)
    const shown = options.includes('--details')
      ? findings
      : findings.filter(({ kind }) => ['malformed', 'duplicate', 'event_skipped', 'membership_fixed'].includes(kind))
    for (const { kind, place, text } of shown) say(`  ${place} ${kind}: ${text}`)
    say(`${events} events with ${markets} markets read, ${stored} markets new, ${registered} registered on the exchange.`)
  } catch (error) {
    const reason = explain(error)
    if (reason === null) throw error
    say(reason)
    process.exitCode = 1
  } finally {
    await platform.close()
  }
}
