import { runEverything } from './run.ts'

await runEverything({ watch: true, args: process.argv.slice(2) })
