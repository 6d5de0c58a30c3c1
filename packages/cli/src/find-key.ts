import { homedir } from 'node:os'
import { join } from 'node:path'
import { createTradingKey } from '@augury/client/api-key'
import type { CliSettings } from '@augury/settings/env'
import { Base64Error, decodeBase64 } from '@augury/signing/base64'
import type { ApiKey } from '@augury/signing/request-signer'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { Failure, misuse } from './failure.ts'
import { type KeyOwner, openKeyFile, readKeyOwner } from './key-file.ts'
import type { Terminal } from './terminal.ts'

/** Path of the key file. */
export const keyFilePath = ({ auguryKeyFile }: CliSettings): string => auguryKeyFile ?? join(homedir(), '.config/augury/key.json')

/** The caller's API key: from the environment, derived from a wallet in the environment, or from the key file. Throws a failure if there is none. */
export async function findKey(url: string, settings: CliSettings, terminal: Terminal): Promise<ApiKey> {
  const given = fromEnvironment(settings)
  if (given) return given
  const { auguryWalletKey } = settings
  if (auguryWalletKey) return createTradingKey({ url, wallet: walletOf(auguryWalletKey) })
  const { path } = await findKeyFile(url, settings)
  return (await openKeyFile(path, await passphraseOf(settings, terminal, 'Passphrase of the key file: '))).apiKey
}

/** The address of the caller's key, for which a key file need not be opened. Throws a failure if there is none. */
export async function findAddress(url: string, settings: CliSettings): Promise<string> {
  const { auguryWalletKey } = settings
  const { address } = fromEnvironment(settings) ?? (auguryWalletKey ? walletOf(auguryWalletKey) : await findKeyFile(url, settings))
  return address
}

async function findKeyFile(url: string, settings: CliSettings): Promise<KeyOwner & { path: string }> {
  const path = keyFilePath(settings)
  const owner = await readKeyOwner(path)
  if (!owner) throw new Failure('no_key', 'this needs an account: run `augury login`, or set AUGURY_API_KEY or AUGURY_WALLET_KEY', 2)
  // Every request sends the key's passphrase, which only its own exchange may see.
  if (owner.url !== url) throw new Failure('other_exchange', `the key in ${path} is for ${owner.url}, not for ${url}`, 2)
  return { ...owner, path }
}

/** The wallet of a private key. Throws a failure for a number that is none. */
export function walletOf(key: `0x${string}`): PrivateKeyAccount {
  try {
    return privateKeyToAccount(key)
  } catch {
    throw misuse('this is no private key of a wallet: it is 0, or too large')
  }
}

/** The passphrase: from the environment, or from the user at the terminal. */
export async function passphraseOf({ auguryPassphrase }: CliSettings, terminal: Terminal, question: string): Promise<string> {
  const passphrase = auguryPassphrase ?? (await terminal.askSecret(question))
  if (!passphrase) throw new Failure('no_passphrase', 'the key file needs a passphrase: set AUGURY_PASSPHRASE', 2)
  return passphrase
}

function fromEnvironment(settings: CliSettings): ApiKey | null {
  const parts = {
    AUGURY_ADDRESS: settings.auguryAddress,
    AUGURY_API_KEY: settings.auguryApiKey,
    AUGURY_API_SECRET: settings.auguryApiSecret,
    AUGURY_API_PASSPHRASE: settings.auguryApiPassphrase,
  }
  if (!parts.AUGURY_API_KEY) return null
  const missing = Object.entries(parts).flatMap(([name, value]) => (value === null ? [name] : []))
  if (missing.length > 0) throw new Failure('settings', `AUGURY_API_KEY is set, but not ${missing.join(', ')}`, 2)
  checkSecret(parts.AUGURY_API_SECRET!)
  return {
    address: parts.AUGURY_ADDRESS!,
    key: parts.AUGURY_API_KEY,
    secret: parts.AUGURY_API_SECRET!,
    passphrase: parts.AUGURY_API_PASSPHRASE!,
  }
}

function checkSecret(secret: string): void {
  try {
    decodeBase64(secret)
  } catch (error) {
    if (error instanceof Base64Error) throw new Failure('settings', 'AUGURY_API_SECRET is no secret of an API key: those are base64', 2)
    throw error
  }
}
