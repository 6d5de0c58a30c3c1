import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { foundryBinary } from './foundry.ts'
import { faults } from './planted-faults.ts'

/** Plants one fault after the other in a copy of the contracts, and demands that the tests catch each. Arguments name some of them. */
const folder = join(import.meta.dirname, '..')
const forge = foundryBinary('forge')
if (forge === null) throw new Error('npm has no Forge for this platform')
const copy = mkdtempSync(join(tmpdir(), 'augury-mutants-'))
for (const name of ['bin', 'contracts', 'foundry.toml', 'package.json']) cpSync(join(folder, name), join(copy, name), { recursive: true })
symlinkSync(join(folder, 'node_modules'), join(copy, 'node_modules'))

/** The first failing test, or null when all pass. What does not compile is no fault. */
function failure(): string | null {
  try {
    execFileSync(forge!, ['test', '--fail-fast', '--no-match-contract', 'DifferentialTest'], {
      cwd: copy,
      maxBuffer: 2 ** 26,
      stdio: 'pipe',
    })
    return null
  } catch (error) {
    const { stdout } = error as { stdout: Buffer }
    const failed = /^\[FAIL.*$/m.exec(String(stdout))
    if (!failed) throw error
    return failed[0].slice(0, 120)
  }
}

const wanted = process.argv.slice(2)
const list = faults.filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)))
const sound = failure()
if (sound !== null) throw new Error(`the contracts themselves fail: ${sound}`)
const survivors: string[] = []
for (const { name, file, from, to } of list) {
  const path = join(copy, 'contracts', file)
  const text = readFileSync(path, 'utf8')
  if (text.split(from).length !== 2) throw new Error(`${name}: ${file} has to contain its text once`)
  writeFileSync(
    path,
    text.replace(from, () => to),
  )
  const caught = failure()
  writeFileSync(path, text)
  if (caught === null) survivors.push(name)
  console.log(caught === null ? `NOT CAUGHT: ${name}` : `caught: ${name}\n  ${caught}`)
}
rmSync(copy, { recursive: true })
console.log(`${list.length - survivors.length} of ${list.length} planted faults caught`)
if (survivors.length > 0) process.exitCode = 1
