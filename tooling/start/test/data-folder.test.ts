import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from '@augury/testing/child-process'
import { postgresUser } from '@augury/testing/postgres-binaries'
import { expect, onTestFinished, test } from 'vitest'
import { claimDataFolder, makeDataFolder, postgresFolder, releaseDataFolder, removeData } from '../src/data-folder.ts'

function folder(mode: number): string {
  const parent = mkdtempSync(join(tmpdir(), 'augury-data-'))
  chmodSync(parent, mode)
  const dataDir = join(parent, 'data')
  makeDataFolder(dataDir)
  onTestFinished(() => {
    removeData(dataDir)
    rmSync(parent, { recursive: true })
  })
  return dataDir
}

test('the database lies in the data folder wherever its user may go', () => {
  const dataDir = folder(0o755)
  expect(postgresFolder(dataDir)).toBe(join(dataDir, 'postgres'))
})

test('root keeps the database of a private data folder outside, the same each time, until the data folder is made anew', () => {
  const dataDir = folder(0o700)
  const outside = postgresFolder(dataDir)
  if (postgresUser === null) return expect(outside).toBe(join(dataDir, 'postgres'))
  expect(outside).toMatch(/^\/var\/tmp\/augury-/)
  mkdirSync(outside)
  expect(postgresFolder(dataDir)).toBe(outside)
  expect(existsSync(outside)).toBe(true)

  rmSync(dataDir, { recursive: true })
  makeDataFolder(dataDir)
  expect(postgresFolder(dataDir)).toBe(outside)
  expect(existsSync(outside)).toBe(false)
})

test('beginning anew removes what a start made and nothing else', () => {
  const dataDir = folder(0o755)
  for (const name of ['postgres', 'secrets', 'logs', 'holiday']) mkdirSync(join(dataDir, name))
  removeData(dataDir)
  expect(readdirSync(dataDir)).toEqual(['holiday'])
})

test('a data folder belongs to one start at a time; what a killed one left is taken over', () => {
  const dataDir = folder(0o755)
  writeFileSync(join(dataDir, 'start.pid'), '1') // alive, and no start
  claimDataFolder(dataDir)
  releaseDataFolder(dataDir)
  expect(readdirSync(dataDir)).toEqual([])
})

test('a second start on the same data folder is told of the first', async () => {
  const dataDir = folder(0o755)
  const first = startChild('sh', ['-c', 'echo up; sleep 60', 'tooling/start/src/start.ts'])
  await first.waitFor(/up/)
  writeFileSync(join(dataDir, 'start.pid'), String(first.pid))
  expect(() => claimDataFolder(dataDir)).toThrow(`Augury runs already on this data folder (process ${first.pid}`)
  await first.stop()
  claimDataFolder(dataDir)
})
