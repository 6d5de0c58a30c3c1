import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Hex, keccak256 } from 'viem'

const SAFE = '@safe-global/safe-contracts/build/artifacts/contracts'

/** Contracts of `generated`, and where their compiled form is: Forge's, or the one that its authors publish on npm. */
const CONTRACTS = {
  vault: 'Vault.sol/Vault.json',
  'depositor-factory': 'Depositor.sol/DepositorFactory.json',
  'test-usdc': 'TestUSDC.sol/TestUSDC.json',
  /** A token for tests that refuses addresses. Nothing deploys it. */
  'moody-usdc': 'MoodyUSDC.sol/MoodyUSDC.json',
  'timelock-controller': 'TimelockController.sol/TimelockController.json',
  'safe-l2': `${SAFE}/SafeL2.sol/SafeL2.json`,
  'safe-proxy': `${SAFE}/proxies/SafeProxy.sol/SafeProxy.json`,
  'safe-proxy-factory': `${SAFE}/proxies/SafeProxyFactory.sol/SafeProxyFactory.json`,
  'compatibility-fallback-handler': `${SAFE}/handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler.json`,
} as const

/** Returns the texts of the generated files, by file name, from the compiled contracts in a folder of Forge. */
export function generatedFiles(out: string): Record<string, string> {
  const require = createRequire(import.meta.url)
  return Object.fromEntries(
    Object.entries(CONTRACTS).map(([name, place]) => {
      const file = place.startsWith('@') ? require.resolve(place) : join(out, place)
      const { abi, bytecode } = JSON.parse(readFileSync(file, 'utf8'))
      return [`${name}.ts`, generated(abi, typeof bytecode === 'string' ? (bytecode as Hex) : (bytecode.object as Hex))]
    }),
  )
}

function generated(abi: readonly unknown[], bytecode: Hex): string {
  return `// Written by \`npm run contracts\`.
export const abi = [
${abi.map((entry) => `  ${JSON.stringify(entry)},\n`).join('')}] as const

/** Creation code, without constructor arguments. */
export const bytecode = '${bytecode}'

/** keccak256 of the creation code. */
export const bytecodeHash = '${keccak256(bytecode)}'
`
}
