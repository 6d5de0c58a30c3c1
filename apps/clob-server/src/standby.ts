import { run } from './run.ts'

// The same service beside another that writes: answers what is public, and takes over.
await run({ standby: true })
