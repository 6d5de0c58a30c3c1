import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { generatedFiles } from '../src/artifacts.ts'
import { foundryBinary } from '../src/foundry.ts'
import { writeFixtures } from './fixtures.ts'

const folder = join(import.meta.dirname, '..')
const forge = foundryBinary('forge')

/** Runs Forge. Throws with its output when it fails. */
async function run(...args: string[]): Promise<string> {
  try {
    return (await promisify(execFile)(forge!, args, { cwd: folder, maxBuffer: 2 ** 26 })).stdout
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${stdout}\n${stderr}`)
  }
}

test('the tests of the contracts pass, and what is generated from them is fresh', { timeout: 600_000 }, async ({ skip }) => {
  skip(forge === null, 'npm has no Forge for this platform: the contracts are not tested here')
  writeFixtures(join(folder, 'build/fixtures'))
  expect(await run('test')).toMatch(/ 0 failed, 0 skipped/)
  for (const [name, text] of Object.entries(generatedFiles(join(folder, 'build/out'))))
    expect(readFileSync(join(folder, 'generated', name), 'utf8') === text, `${name}: run npm run contracts`).toBe(true)
})
