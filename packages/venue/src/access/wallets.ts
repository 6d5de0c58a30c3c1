import type { Hex } from '@augury/engine/command'
import { ServiceError } from '@augury/wire/service-error'
import type { Pool } from 'pg'
import { toBytes, toHex } from '../postgres.ts'
import type { OneOwner } from './one-owner.ts'

/** Channel on which processes tell each other that a wallet changed; the payload is its address. */
export const WALLET_CHANNEL = 'wallet'

/** A contract wallet: another name of its owner's account. */
export interface RegisteredWallet {
  address: Hex
  /** The account: an address that signs for itself. */
  owner: Hex
  /** 1 proxy, 2 safe, 3 deposit wallet: how orders made by it are signed. */
  signatureType: 1 | 2 | 3
}

/** Wallets that one account may register. */
const WALLETS_PER_OWNER = 10

/** All registered wallets, in memory. */
export class Wallets {
  readonly #db: Pool
  readonly #owners: OneOwner
  readonly #byAddress = new Map<Hex, RegisteredWallet>()
  /** The same by their accounts: asked for with every order where wallets are required. */
  readonly #byOwner = new Map<Hex, Map<Hex, RegisteredWallet>>()

  private constructor(db: Pool, owners: OneOwner) {
    this.#db = db
    this.#owners = owners
  }

  /** Reads the table `wallet`. */
  static async load(db: Pool, owners: OneOwner): Promise<Wallets> {
    const wallets = new Wallets(db, owners)
    await wallets.reload()
    return wallets
  }

  /** Reads the table, or one wallet of it, again. */
  async reload(address?: string): Promise<void> {
    const which = address === undefined ? '' : 'where address = $1'
    const { rows } = await this.#db.query(
      `select address, owner, signature_type from wallet ${which} order by created_at`,
      address === undefined ? [] : [toBytes(address)],
    )
    for (const each of address === undefined ? [...this.#byAddress.keys()] : [address as Hex]) this.#forget(each)
    for (const row of rows) this.#remember(row)
  }

  /** A registered wallet, or null. */
  find(address: Hex): RegisteredWallet | null {
    return this.#byAddress.get(address) ?? null
  }

  /** Wallets of an account, oldest first. */
  of(owner: Hex): RegisteredWallet[] {
    return [...(this.#byOwner.get(owner)?.values() ?? [])]
  }

  /** The account behind an address: its owner's when it is a wallet, else its own. */
  accountOf(address: Hex): Hex {
    return this.#byAddress.get(address)?.owner ?? address
  }

  /** Registers a wallet; the same again changes nothing. Throws `wallet_taken` when it has another owner or kind, `too_many_wallets`. */
  async register({ address, owner, signatureType }: RegisteredWallet): Promise<RegisteredWallet> {
    const isNew = !this.#byAddress.has(address)
    if (isNew && this.of(owner).length >= WALLETS_PER_OWNER) throw new ServiceError('too_many_wallets') // costs no query
    const row = await this.#owners.run(owner, async (client) => {
      const { rows } = await client.query(
        `insert into wallet (address, owner, signature_type) values ($1, $2, $3)
         on conflict (address) do update set owner = wallet.owner returning address, owner, signature_type`,
        [toBytes(address), toBytes(owner), signatureType],
      )
      const { rows: counted } = await client.query('select count(*) from wallet where owner = $1', [toBytes(owner)])
      if (isNew && counted[0].count > WALLETS_PER_OWNER) throw new ServiceError('too_many_wallets')
      if (isNew) await client.query('select pg_notify($1, $2)', [WALLET_CHANNEL, address])
      return rows[0]
    })
    const wallet = this.#remember(row)
    if (wallet.owner !== owner || wallet.signatureType !== signatureType) throw new ServiceError('wallet_taken')
    return wallet
  }

  /** Forgets a wallet: its address turned out to sign for itself, so it is nobody else's. */
  async release(address: Hex): Promise<void> {
    if (!this.#byAddress.has(address)) return
    await this.#db.query('delete from wallet where address = $1', [toBytes(address)])
    this.#forget(address)
    await this.#notify(address)
  }

  // biome-ignore lint/suspicious/noExplicitAny: a row of the database
  #remember({ address, owner, signature_type }: any): RegisteredWallet {
    const wallet: RegisteredWallet = { address: toHex(address), owner: toHex(owner), signatureType: signature_type }
    if (this.#byAddress.get(wallet.address)?.owner !== wallet.owner) this.#forget(wallet.address)
    this.#byAddress.set(wallet.address, wallet)
    this.#byOwner.set(wallet.owner, (this.#byOwner.get(wallet.owner) ?? new Map()).set(wallet.address, wallet))
    return wallet
  }

  #forget(address: Hex): void {
    const wallet = this.#byAddress.get(address)
    if (!wallet) return
    this.#byAddress.delete(address)
    const own = this.#byOwner.get(wallet.owner)
    own?.delete(address)
    if (own?.size === 0) this.#byOwner.delete(wallet.owner)
  }

  async #notify(address: Hex): Promise<void> {
    await this.#db.query('select pg_notify($1, $2)', [WALLET_CHANNEL, address])
  }
}
