import { BlockList, isIP } from 'node:net'
import { privateKeyToAddress } from 'viem/accounts'
import { sandboxSecret } from './sandbox-secrets.ts'
import { isSecret, type Name, type Value, variables } from './variables.ts'

/** Where settings come from: the process's environment, or a test's own. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The environment does not make sense. The message has one line per variable: its name, what it must be, what it is. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
  constructor(problems: string[]) {
    super(`The settings do not make sense:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
  }
}

type Camel<Text extends string> = Text extends `${infer Head}_${infer Rest}`
  ? `${Lowercase<Head>}${Capitalize<Camel<Rest>>}`
  : Lowercase<Text>
type Settings<N extends Name> = { readonly [Each in N as Camel<Each>]: Value<Each> }

// biome-ignore-start format: lists of names
const everywhere = ['MODE', 'HOST', 'DATA_DIR', 'LOG_LEVEL'] as const
const clob = [
  ...everywhere,
  'CHAIN_ID',
  'CLOB_PORT',
  'STANDBY_PORT',
  'METRICS_PORT',
  'METRICS_HOST',
  'DRAIN_SECONDS',
  'CLOB_DATABASE_URL',
  'PUBLIC_CLOB_URL',
  'SITE_URL',
  'COMPAT_AUTH',
  'API_KEY_SECRET',
  'PROOF_KEY_RING',
  'PROOF_EVERY',
  'VENUE_ADDRESSES',
  'OPERATOR_ADDRESSES',
  'TRUSTED_PROXIES',
  'REQUIRE_PROXY_WALLET',
  'SETTLEMENT',
  'VAULT_ADDRESS',
] as const
/** How money moves. */
const money = ['SETTLEMENT', 'VAULT_ADDRESS', 'COLLATERAL_ADDRESS', 'CONFIRMATIONS', 'MIN_DEPOSIT'] as const
const platform = [...everywhere, 'DATABASE_URL', 'CLOB_URL', 'PUBLIC_CLOB_URL', 'PLATFORM_WALLET_KEY', 'CHAIN_ID', 'RPC_URL'] as const
const web = [
  ...platform,
  ...money,
  'WITHDRAW_TWO_ADMINS_ABOVE',
  'WEB_PORT',
  'METRICS_PORT',
  'METRICS_HOST',
  'DRAIN_SECONDS',
  'ORIGIN',
  'PASSKEY_RP_ID',
  'CHAIN_NAME',
  'CHAIN_PUBLIC_RPC',
  'CHAIN_EXPLORER',
  'CHAIN_COIN',
  'WALLETCONNECT_PROJECT_ID',
  'REDIS_URL',
  'KEY_RING',
  'SCHEDULER_SECRET',
  'ADMIN_WALLETS',
  'TRUSTED_PROXIES',
  'OPENROUTER_URL',
  'SWAP_URL',
  'UPLOADS_URL',
  'SMTP_URL',
  'MAIL_FROM',
  'REQUIRE_PROXY_WALLET',
] as const
const worker = [...platform, 'SETTLEMENT', 'ORACLE_A', 'ORACLE_A_KEY', 'ORACLE_B', 'ORACLE_B_KEY', 'WORKER_PORT'] as const
const start = [
  ...everywhere,
  'CHAIN_ID',
  'WEB_PORT',
  'CLOB_PORT',
  'STANDBY_PORT',
  'WORKER_PORT',
  'PG_PORT',
  'DATABASE_URL',
  'CLOB_DATABASE_URL',
  'ORIGIN',
  'CLOB_URL',
  'PUBLIC_CLOB_URL',
  'PLATFORM_WALLET_KEY',
  'ADMIN_WALLETS',
  'SETTLEMENT',
  'RPC_URL',
  'ANVIL_PORT',
  'SETTLER_PORT',
  'SETTLER_KEY',
  'MIN_DEPOSIT',
  'WITHDRAW_DAILY_LIMIT',
] as const
const settler = [
  ...everywhere,
  ...money,
  'DATABASE_URL',
  'CLOB_URL',
  'PUBLIC_CLOB_URL',
  'CHAIN_ID',
  'RPC_URL',
  'SECOND_RPC_URL',
  'WAIT_FOR_FINALIZED',
  'AGREE_ABOVE',
  'FEE_PAYOUT_MIN',
  'SETTLER_PORT',
  'SETTLER_KEY',
  'SETTLER_WALLET_KEY',
  'SIGNER_URL',
  'SIGNER_ADDRESS',
] as const
const deploy = ['CHAIN_ID', 'RPC_URL', 'DEPLOYER_KEY'] as const
const clobDatabase = ['MODE', 'PG_PORT', 'CLOB_DATABASE_URL'] as const
const platformDatabase = ['MODE', 'PG_PORT', 'DATABASE_URL'] as const
const keyRing = ['MODE', 'DATA_DIR', 'DATABASE_URL', 'KEY_RING'] as const
const cli = [
  'AUGURY_URL',
  'AUGURY_ADDRESS',
  'AUGURY_API_KEY',
  'AUGURY_API_SECRET',
  'AUGURY_API_PASSPHRASE',
  'AUGURY_WALLET_KEY',
  'AUGURY_KEY_FILE',
  'AUGURY_PASSPHRASE',
  'AUGURY_RPC_URL',
] as const
// biome-ignore-end format: lists of names

/** Every program with the variables that it reads. A deployment should give it these and no others. */
export const PROGRAMS: Readonly<Record<string, readonly Name[]>> = {
  exchange: clob,
  site: web,
  worker,
  settler,
  migrations: [...new Set([...clobDatabase, ...platformDatabase])],
  'npm start': start,
  'npm run deploy-contracts': deploy,
  'command line': cli,
}

const reader =
  <N extends Name>(names: readonly N[]) =>
  (environment: Environment = process.env): Settings<N> =>
    read(environment, names)

/** Reads what the order-book service needs. Throws SettingsError, as all of these. */
export const clobSettings = reader(clob)
/** Reads what the site needs. */
export const webSettings = reader(web)
/** Reads what the sync worker needs. */
export const workerSettings = reader(worker)
/** Reads what the settler needs. */
export const settlerSettings = reader(settler)
/** Reads what `npm start` needs, and what it does itself: databases and the catalogue. */
export const startSettings = reader(start)
/** Reads what the migrations of the exchange need. */
export const clobDatabaseSettings = reader(clobDatabase)
/** Reads what the migrations of the deployment need. */
export const platformDatabaseSettings = reader(platformDatabase)
/** Reads what re-encrypting members' secrets needs. */
export const keyRingSettings = reader(keyRing)
/** Reads what the deployment of contracts needs. */
export const deploySettings = reader(deploy)
/** Reads what the command line needs. */
export const cliSettings = reader(cli)

export type ClobSettings = ReturnType<typeof clobSettings>
export type WebSettings = ReturnType<typeof webSettings>
export type SettlerSettings = ReturnType<typeof settlerSettings>
export type DeploySettings = ReturnType<typeof deploySettings>
export type StartSettings = ReturnType<typeof startSettings>
export type CliSettings = ReturnType<typeof cliSettings>

function read<N extends Name>(environment: Environment, names: readonly N[]): Settings<N> {
  const problems: string[] = []
  const values = new Map<Name, unknown>()

  function value<V extends Name>(name: V): Value<V> {
    if (!values.has(name)) values.set(name, parse(name))
    return values.get(name) as Value<V>
  }

  function parse(name: Name): unknown {
    const provided = environment[name] || undefined // an empty variable is an unset one
    const text = provided ?? fallback(name)
    if (text === null) return null
    const { success, data, error } = variables[name].schema.safeParse(text)
    if (success) return data
    const shown = isSecret(name) ? '' : ` (it is “${text}”)`
    problems.push(`${name} ${error.issues[0]?.message}${shown}`)
    return undefined
  }

  function fallback(name: Name): string | null {
    const way = variables[name].fallback
    if ('none' in way) return null
    if ('both' in way) return filled(way.both)
    if (value('MODE') !== 'production') return 'made' in way ? made(name) : filled(way.sandbox)
    if ('production' in way) return way.production === null ? null : filled(way.production)
    problems.push(`${name} must be set in production`)
    return null
  }

  /** Null when it cannot be stored in the data folder. */
  function made(name: Name): string | null {
    const folder = value('DATA_DIR')
    try {
      return sandboxSecret(folder, name)
    } catch (error) {
      problems.push(`DATA_DIR must be a folder that can be written (${(error as NodeJS.ErrnoException).code}; it is “${folder}”)`)
      return null
    }
  }

  /** Null when it refers to an invalid variable, which is reported already. */
  function filled(text: string): string | null {
    let isWhole = true
    const whole = text.replace(/\{([A-Z_]+)\}/g, (_, name) => {
      if (name !== 'PLATFORM_WALLET_ADDRESS') {
        const own = value(name as Name)
        isWhole &&= own !== undefined
        return String(own)
      }
      const key = value('PLATFORM_WALLET_KEY')
      return key ? privateKeyToAddress(key) : ''
    })
    return isWhole ? whole : null
  }

  const serves = (names as readonly Name[]).includes('HOST')
  if (serves) problems.push(...sandboxProblems(value('MODE'), value('HOST'), value('NODE_ENV'), value('SANDBOX_PUBLIC')))
  const origin = names.some((name) => name === 'ORIGIN') ? value('ORIGIN') : null
  if (value('MODE') === 'production' && origin?.startsWith('http:'))
    problems.push(`ORIGIN must be https in production: sessions are not for plain http (it is “${origin}”)`)
  const domain = names.some((name) => name === 'PASSKEY_RP_ID') ? value('PASSKEY_RP_ID') : null
  if (domain && origin && !isWithin(new URL(origin).hostname, domain))
    problems.push(`PASSKEY_RP_ID must be the host of ORIGIN or a domain above it: browsers accept no other (it is “${domain}”)`)
  const settings = Object.fromEntries(names.map((name) => [camel(name), value(name)]))
  if (problems.length > 0) throw new SettingsError([...new Set(problems)])
  return Object.freeze(settings) as Settings<N>
}

/** A sandbox gives play money away and makes its own secrets, so it must not be exposed to the internet by accident. */
function sandboxProblems(mode: string | undefined, host: string | undefined, nodeEnv: string | null, isPublic: boolean): string[] {
  if (mode !== 'sandbox' || isPublic) return []
  const problems: string[] = []
  if (nodeEnv === 'production')
    problems.push('NODE_ENV must not be production while MODE is sandbox; set MODE=production, or SANDBOX_PUBLIC=1 if you mean it')
  if (host && !isLoopback(host))
    problems.push(`HOST must be a loopback address while MODE is sandbox (it is “${host}”); set SANDBOX_PUBLIC=1 if you mean it`)
  return problems
}

/** Whether a host is a domain, or below it. */
const isWithin = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`)

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

const isLoopback = (host: string) => host === 'localhost' || (isIP(host) !== 0 && loopback.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4'))

const camel = (name: string) => name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
