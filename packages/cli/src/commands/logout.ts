import { RefusedError } from '@augury/client/answer'
import { venueClient } from '@augury/client/rest'
import type { Command } from '../command.ts'
import { Failure } from '../failure.ts'
import { keyFilePath, passphraseOf } from '../find-key.ts'
import { openKeyFile, readKeyOwner, removeKeyFile } from '../key-file.ts'

/** Revokes the key and removes its file. */
export const logout: Command = {
  usage: '[--force]',
  about: 'Revoke the API key everywhere, and remove the key file.',
  flags: { force: { about: 'Even if the file has the only copy of a wallet.' } },
  words: [0, 0],
  async run({ settings, terminal, show }, { given }) {
    const path = keyFilePath(settings)
    const owner = await readKeyOwner(path)
    if (!owner) throw new Failure('no_key_file', `there is no key file ${path}`)
    const { walletKey, apiKey } = await openKeyFile(path, await passphraseOf(settings, terminal, 'Passphrase of the key file: '))
    if (walletKey !== undefined && !given('force'))
      throw new Failure('wallet_in_file', `${path} holds the only copy of the wallet ${apiKey.address}; --force removes it`, 2)
    // Revokes the file's key at the exchange that issued it, whatever the environment says.
    await venueClient({ url: owner.url, apiKey })
      .deleteKey()
      .catch((error: unknown) => {
        if (!(error instanceof RefusedError && error.code === 'unknown_key')) throw error // revoked already
      })
    await removeKeyFile(path)
    show({ revoked: apiKey.key, removed: path }, () => `the key is revoked, and ${path} is gone`)
  },
}
