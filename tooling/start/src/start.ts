import { runEverything } from './run.ts'

await runEverything({ watch: false, args: process.argv.slice(2) })
