import { runConformance } from './run-conformance.ts'

// The short form; `npm run conformance` has the other circumstances as well.
runConformance({ chain: 80002, via: 'direct' })
