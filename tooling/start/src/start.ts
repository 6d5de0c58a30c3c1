import { runEverything } from './run.ts'

await runEverything({ watch: false, reset: process.argv.includes('--reset') })
