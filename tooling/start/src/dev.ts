import { runEverything } from './run.ts'

await runEverything({ watch: true, reset: process.argv.includes('--reset') })
