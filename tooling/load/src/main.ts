import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { headCommit } from '@augury/bench/circumstances'
import { load, type Scale } from './load.ts'
import { render } from './report.ts'
import { sizingRow, withSizingRow } from './sizing.ts'
import { exchangeAlone, wholeSystem } from './system.ts'

// Loads everything that `npm start` starts and reconciles every answer. Scales by name, such as `--minutes 5 --orders 500`;
// `--exchange-alone` leaves out site and worker. Writes bench/load.md when it ran for a minute or more, and the row of the sizing table in
// docs/operations when it ran for ten.
const usual: Scale = {
  minutes: 30,
  orders: 2000,
  cancels: 1000,
  views: 5,
  sockets: 50,
  traders: 32,
  markets: 8,
  overloadSeconds: 15,
  socketShare: 0,
}
const LONG_MINUTES = 10
const root = resolve(import.meta.dirname, '../../..')
const deployment = join(root, 'docs/operations/deploy.md')
const say = (line: string) => process.stdout.write(`${line}\n`)

const { values } = parseArgs({
  options: {
    'exchange-alone': { type: 'boolean', default: false },
    ...Object.fromEntries(Object.keys(usual).map((name) => [name, { type: 'string' as const }])),
  },
})
const scale: Scale = { ...usual }
for (const name of Object.keys(usual) as (keyof Scale)[]) {
  const given = (values as Record<string, unknown>)[name]
  if (given === undefined) continue
  if (!(Number(given) >= 0)) throw new Error(`--${name} needs a number`)
  scale[name] = Number(given)
}

say('starting')
const system = values['exchange-alone'] ? await exchangeAlone() : await wholeSystem()
try {
  const outcome = await load(system, scale, (line) => say(`${new Date().toISOString().slice(11, 19)}  ${line}`))
  const text = render(outcome, headCommit())
  say(`\n${text}`)
  if (scale.minutes >= 1) {
    mkdirSync(join(root, 'bench'), { recursive: true })
    writeFileSync(join(root, 'bench', 'load.md'), text)
    if (scale.minutes >= LONG_MINUTES) {
      const row = sizingRow(outcome, new Date().toISOString().slice(0, 10))
      writeFileSync(deployment, withSizingRow(readFileSync(deployment, 'utf8'), row))
    }
  }
  if (outcome.wrong.length > 0) process.exitCode = 1
} finally {
  await system.stop()
}
