import { createTradingKey } from '@augury/client/api-key'
import { scopes } from '@augury/wire/credentials'
import { generatePrivateKey } from 'viem/accounts'
import type { Command, Session } from '../command.ts'
import { Failure, misuse } from '../failure.ts'
import { keyFilePath, passphraseOf, walletOf } from '../find-key.ts'
import { readKeyOwner, writeKeyFile } from '../key-file.ts'

/** Creates an API key and stores it encrypted. */
export const login: Command = {
  usage: '[--new] [--scope read|trade|operator|venue] [--nonce N] [--name NAME] [--force]',
  about:
    'Get the API key of a wallet and keep it in a file that only your passphrase opens. The wallet itself is not kept, unless it is new.',
  flags: {
    new: { about: 'Make a wallet, and keep it in the file too.' },
    scope: {
      value: 'SCOPE',
      about: 'Scope of the key: read, trade, operator or venue. Default: trade. The last two are for wallets that the exchange names.',
    },
    nonce: { value: 'N', about: 'Number of the wallet’s key. Default: 0. Its scope was fixed when it was created.' },
    name: { value: 'NAME', about: 'Name of the key.' },
    force: { about: 'Replace the key file. A wallet that only it holds is lost.' },
  },
  words: [0, 0],
  async run(session, { flag, given }) {
    const { url, settings, terminal, show } = session
    const asked = flag('scope') ?? 'trade'
    const scope = scopes.find((each) => each === asked)
    if (!scope) throw misuse(`--scope is ${scopes.join(', ')}`)
    const nonce = flag('nonce') ?? '0'
    if (!/^\d{1,15}$/.test(nonce)) throw misuse('--nonce is a whole number')
    const path = keyFilePath(settings)
    const owner = await readKeyOwner(path).catch(() => ({ address: 'something else' }))
    if (owner && !given('force')) throw new Failure('key_file_exists', `${path} holds ${owner.address}; --force replaces it`, 2)
    const walletKey = given('new') ? generatePrivateKey() : await walletKeyOf(session)
    const wallet = walletOf(walletKey)
    const passphrase = await newPassphrase(session)
    const name = flag('name')
    const apiKey = await createTradingKey({ url, wallet, scope, nonce: BigInt(nonce), ...(name === undefined ? {} : { name }) })
    await writeKeyFile(path, { url, address: wallet.address }, { apiKey, ...(given('new') ? { walletKey } : {}) }, passphrase)
    show(
      { address: wallet.address, api_key: apiKey.key, key_file: path },
      () => `${wallet.address} may ${scope === 'trade' ? 'trade' : `do what scope ${scope} may`} from here; its key is in ${path}`,
    )
    if (!settings.auguryPassphrase) terminal.error('note: without the passphrase the file is worth nothing')
  },
}

async function walletKeyOf({ settings, terminal }: Session): Promise<`0x${string}`> {
  const key = settings.auguryWalletKey ?? (await terminal.askSecret('Private key of the wallet: '))
  if (key === null) throw new Failure('no_wallet', 'set AUGURY_WALLET_KEY to the private key of the wallet, or make one with --new', 2)
  if (!/^0x[0-9a-fA-F]{64}$/.test(key)) throw misuse('a private key is 0x and 64 hex digits')
  return key as `0x${string}`
}

async function newPassphrase({ settings, terminal }: Session): Promise<string> {
  const passphrase = await passphraseOf(settings, terminal, 'New passphrase of the key file: ')
  if (passphrase.length < 8) throw misuse('a passphrase has at least 8 characters')
  if (settings.auguryPassphrase) return passphrase
  if ((await terminal.askSecret('Once more: ')) !== passphrase) throw misuse('the passphrases differ')
  return passphrase
}
