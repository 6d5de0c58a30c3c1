import { parseArgs } from 'node:util'
import type { DeploymentSettings } from '@augury/contracts/deployment'
import { parseUsdc } from '@augury/units/decimal'
import { getAddress, type Hex, isAddress } from 'viem'

/** What `npm run deploy-contracts` was asked for. */
export interface DeployPlan {
  contracts: DeploymentSettings
  dryRun: boolean
  /** File with the key that pays for the deployment; null: DEPLOYER_KEY. */
  keyFile: string | null
}

export const USAGE = `npm run deploy-contracts -- OPTIONS

  --operator 0x…        the settler: the only key that pays and posts roots
  --guardian 0x…        may pause, veto roots and lower the limit; another key than the operator's
  --proposers 0x…,0x…   may propose and execute changes through the timelock: a multisig of people
  --token 0x…           USDC of the chain, of 6 decimals; or --test-token for coins that are worth nothing
  --limit USDC          most that the vault pays in any 24 hours: what a stolen operator's key can take
  --min-deposit USDC    smallest deposit; 1 unless given
  --timelock-delay S    seconds between a proposal and its execution; 172800 (two days) unless given
  --demand-fee WEI      price of a demand; 1000000000000000 (0.001 coins) unless given
  --resolver 0x…        contract that reports results after a freeze; none unless given
  --key-file FILE       private key that pays, in a file that only you can read; else the setting DEPLOYER_KEY
  --dry-run             says what would be deployed, and where; sends nothing

RPC_URL and CHAIN_ID name the chain. The same options give the same addresses, so a run that was cut short is repeated as it was.`

const OPTIONS = {
  operator: { type: 'string' },
  guardian: { type: 'string' },
  proposers: { type: 'string' },
  token: { type: 'string' },
  'test-token': { type: 'boolean', default: false },
  limit: { type: 'string' },
  'min-deposit': { type: 'string', default: '1' },
  'timelock-delay': { type: 'string', default: '172800' },
  'demand-fee': { type: 'string', default: '1000000000000000' },
  resolver: { type: 'string' },
  'key-file': { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
} as const

/** Reads the options. Throws one sentence for each that is missing or makes no sense. */
export function deployPlan(args: readonly string[]): DeployPlan {
  const { values } = parseArgs({ args: [...args], options: OPTIONS })
  const problems: string[] = []
  const address = (name: string, text: string | undefined): Hex => {
    if (text !== undefined && isAddress(text.trim(), { strict: true })) return getAddress(text.trim())
    problems.push(text === undefined ? `--${name} is missing` : `--${name} must be an address with a valid checksum (it is “${text}”)`)
    return '0x'
  }
  const number = (name: string, text: string | undefined, parse: (text: string) => number | bigint, least: bigint): bigint => {
    const value = text === undefined ? null : parsed(text, parse)
    if (value !== null && value >= least) return value
    problems.push(
      text === undefined ? `--${name} is missing` : `--${name} must be a number${least > 0n ? ' above 0' : ''} (it is “${text}”)`,
    )
    return 0n
  }

  const operator = address('operator', values.operator)
  const guardian = address('guardian', values.guardian)
  const proposers =
    values.proposers === undefined ? [address('proposers', undefined)] : values.proposers.split(',').map((one) => address('proposers', one))
  if (values['test-token'] === (values.token !== undefined)) problems.push('either --token or --test-token is needed')
  if (operator !== '0x' && operator === guardian)
    problems.push('--guardian must be another address than --operator: it stops what the operator does')
  if (operator !== '0x' && proposers.includes(operator)) problems.push('--proposers must not include --operator: its key is online')
  const contracts: DeploymentSettings = {
    ...(values.token !== undefined && { token: address('token', values.token) }),
    ...(values.resolver !== undefined && { resolver: address('resolver', values.resolver) }),
    ...{ operator, guardian, proposers },
    timelockDelay: number('timelock-delay', values['timelock-delay'], BigInt, 0n),
    limit: number('limit', values.limit, parseUsdc, 1n),
    minDeposit: number('min-deposit', values['min-deposit'], parseUsdc, 1n),
    demandFee: number('demand-fee', values['demand-fee'], BigInt, 0n),
  }
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return { contracts, dryRun: values['dry-run'], keyFile: values['key-file'] ?? null }
}

function parsed(text: string, parse: (text: string) => number | bigint): bigint | null {
  try {
    return BigInt(parse(text.trim()))
  } catch {
    return null
  }
}
