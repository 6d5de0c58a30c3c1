import { run } from './run.ts'

// The same service as a standby of the primary: serves public reads, and takes over when the primary fails.
await run({ standby: true })
