import { deploySettings } from '@augury/settings/env'
import { deployByHand } from './deploy-by-hand.ts'

try {
  await deployByHand(process.argv.slice(2), { settings: deploySettings(), say: console.log })
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : error}\n\nnpm run deploy-contracts -- --help lists the options.`)
  process.exitCode = 1
}
