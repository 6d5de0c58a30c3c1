import { runConformance } from '../test/run-conformance.ts'

runConformance({ chain: 80002, via: 'direct' })
runConformance({ chain: 80002, via: 'a reverse proxy' })
runConformance({ chain: 137, via: 'direct' })
runConformance({ chain: 137, via: 'a reverse proxy' })
