import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatedFiles } from './artifacts.ts'
import { foundryBinary } from './foundry.ts'

/** Compiles the contracts and writes their ABIs and bytecode to `generated`. */
const folder = join(import.meta.dirname, '..')
const forge = foundryBinary('forge')
if (forge === null) throw new Error('npm has no Forge for this platform')
execFileSync(forge, ['build', '--skip', 'test'], { cwd: folder, stdio: 'inherit' })
mkdirSync(join(folder, 'generated'), { recursive: true })
for (const [name, text] of Object.entries(generatedFiles(join(folder, 'build/out')))) writeFileSync(join(folder, 'generated', name), text)
