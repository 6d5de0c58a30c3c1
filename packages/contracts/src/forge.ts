import { spawnSync } from 'node:child_process'
import { foundryBinary } from './foundry.ts'

/** Runs Forge with the arguments of the command line. */
const forge = foundryBinary('forge')
if (forge === null) throw new Error('npm has no Forge for this platform')
process.exitCode = spawnSync(forge, process.argv.slice(2), { cwd: `${import.meta.dirname}/..`, stdio: 'inherit' }).status ?? 1
