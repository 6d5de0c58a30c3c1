import { run } from './run.ts'

await run({ standby: false })
