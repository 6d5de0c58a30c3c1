import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../src/sources.ts'

// A claim has its command and its date, and the same figures everywhere.
const text = (path: string) => readFileSync(join(root, path), 'utf8')
const proof = text('docs/proof.md')
const parts = proof.split(/^## /m).slice(1)
const short = parts.find((part) => part.startsWith('In short'))!
const cells = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

const tables = [...proof.matchAll(/(?:^\|.*\n)+/gm)].map(([table]) => table.trimEnd().split('\n'))
const dated = tables.flatMap(([head, , ...rows]) => {
  const columns = cells(head!)
  const [command, when] = [columns.findIndex((name) => name.startsWith('Command')), columns.findIndex((name) => name.startsWith('When'))]
  return command === -1 ? [] : rows.map((row) => ({ row, command: cells(row)[command]!, when: cells(row)[when] ?? '' }))
})

test('every run has its command and its date', () => {
  expect(dated.length).toBeGreaterThan(50)
  const wrong = dated.filter(({ command, when, row }) => {
    const isRun = !row.slice(3).includes('| – |') // else nothing was seen, and nothing is claimed
    return !command.includes('`') && !command.includes('](') ? true : isRun && !/\d+ [A-Z][a-z]{2}|every test run|worked out/.test(when)
  })
  expect(wrong.map(({ row }) => row.slice(0, 80))).toEqual([])
})

test('speeds are of one run, which is named', () => {
  const speed = parts.find((part) => part.startsWith('Speed'))!
  expect(speed).toMatch(/`npm run bench`[\s\S]*of 20\d\d-\d\d-\d\d \d\d:\d\d at\n?\s*`[0-9a-f]{7}`/)
})

/** Figures of a text: numbers of three digits and more, their groups apart by spaces. */
const figures = (claim: string) => claim.match(/\b\d{1,3}(?: \d{3})+\b|\b\d{3,}\b/g) ?? []

test('the summary claims only what a run below has seen', () => {
  const rest = proof.replace(short, '').replaceAll('×', 'x')
  expect(figures(short).length).toBeGreaterThan(5)
  expect(figures(short).filter((figure) => !new RegExp(`(?<!\\d )\\b${figure}\\b(?! \\d{3})`).test(rest))).toEqual([])
})

test('the README counts the markets that the catalogue has', () => {
  const events = JSON.parse(text('data/catalogue.json')) as { markets: unknown[] }[]
  const markets = events.reduce((sum, event) => sum + event.markets.length, 0)
  expect(text('README.md')).toContain(`registers ${markets} markets`)
  expect(text('data/README.md')).toContain(`${events.length} events with ${markets} markets`)
})
