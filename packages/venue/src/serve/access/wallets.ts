import type { Hex } from '@augury/engine/command'
import { derivedWallets } from '@augury/signing/derived-wallets'
import { proxyWalletOf } from '@augury/signing/proxy-wallet'
import { ServiceError } from '@augury/wire/service-error'
import type { Pool, PoolClient } from 'pg'
import { KeyedQueue } from '../../base/keyed-queue.ts'
import { notify } from '../../base/notices.ts'
import { toBytes, toHex } from '../../base/postgres.ts'
import type { OwnerTransactions } from './owner-transactions.ts'

/** NOTIFY channel for changes of wallets; the payload is the wallet's address. */
export const WALLET_CHANNEL = 'wallet'

/** A contract wallet: another address of its owner's account. */
export interface RegisteredWallet {
  address: Hex
  /** The account: an address that signs for itself. */
  owner: Hex
  /** How its orders are signed: 1 proxy, 2 safe, 3 deposit wallet. */
  signatureType: 1 | 2 | 3
}

/** Wallets that one account may register. */
const WALLETS_PER_OWNER = 10
/** Wallets that are derived for an owner. */
const DERIVED = 4
/** Owners whose derived wallets are remembered at most. */
const REMEMBERED = 10_000

/** All registered wallets, in memory. */
export class Wallets {
  readonly #db: Pool
  readonly #owners: OwnerTransactions
  readonly #byAddress = new Map<Hex, RegisteredWallet>()
  /** The same by owner: read for every order where wallets are required. */
  readonly #byOwner = new Map<Hex, Map<Hex, RegisteredWallet>>()
  /** Owners whose derived wallets are known to be registered: a login asks for them again and again. */
  readonly #derived = new Set<Hex>()
  /** Reads of the table, one at a time: an older result never overwrites a newer one. */
  readonly #readings = new KeyedQueue()

  private constructor(db: Pool, owners: OwnerTransactions) {
    this.#db = db
    this.#owners = owners
  }

  /** Reads the table `wallet`. */
  static async load(db: Pool, owners: OwnerTransactions): Promise<Wallets> {
    const wallets = new Wallets(db, owners)
    await wallets.reload()
    return wallets
  }

  /** Reads the table, or one wallet of it, again. */
  reload(address?: string): Promise<void> {
    return this.#readings.run('', () => this.#read(address))
  }

  async #read(address?: string): Promise<void> {
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

  /**
   * Who gets money that is meant for an address: the owner when it is the owner's proxy wallet, whose address is derived from the owner's;
   * else the address itself. A wallet that is only claimed may belong to another owner, who finds the money there after signing in.
   */
  earnerOf(address: Hex): Hex {
    const owner = this.accountOf(address)
    return proxyWalletOf(owner).toLowerCase() === address ? owner : address
  }

  /**
   * Registers a wallet; repeating it changes nothing. Throws `too_many_wallets`, and `wallet_taken` when it has another owner or kind, or
   * when it is only claimed and its address has or had a key, or receives fees.
   */
  async register(wallet: RegisteredWallet, by: 'claim' | 'proof' | 'derived'): Promise<RegisteredWallet> {
    const { address, owner, signatureType } = wallet
    const isNew = !this.#byAddress.has(address)
    if (isNew && by !== 'derived' && this.of(owner).length >= WALLETS_PER_OWNER + DERIVED) throw new ServiceError('too_many_wallets') // without a query
    // Also locks the address itself, which may be creating its first key at this moment.
    await this.#owners.run(owner, (client) => insert(client, wallet, by), address)
    await this.reload(address)
    const registered = this.#byAddress.get(address)
    if (registered?.owner !== owner || registered.signatureType !== signatureType) throw new ServiceError('wallet_taken')
    return registered
  }

  /**
   * Registers the wallets that established clients derive from an owner's address, so that orders may name them. Their addresses follow from
   * the owner's, so they replace the claims of others; they do not count towards the most that an owner may register.
   */
  async registerDerived(owner: Hex): Promise<void> {
    if (this.#derived.has(owner) || this.find(owner)) return
    for (const { address, signatureType } of derivedWallets(owner)) {
      const known = this.find(address)
      if (known?.owner === owner) continue
      if (known) await this.release(address)
      await this.register({ address, owner, signatureType }, 'derived')
    }
    if (this.#derived.size >= REMEMBERED) this.#derived.clear()
    this.#derived.add(owner)
  }

  /** Removes a wallet whose address has signed for itself, which makes it an account of its own. */
  async release(address: Hex): Promise<void> {
    const { rowCount } = await this.#db.query('delete from wallet where address = $1', [toBytes(address)])
    if (rowCount === 0) return
    await this.reload(address)
    await notify(this.#db, WALLET_CHANNEL, address)
  }

  // biome-ignore lint/suspicious/noExplicitAny: a row of the database
  #remember({ address, owner, signature_type }: any): void {
    const wallet: RegisteredWallet = { address: toHex(address), owner: toHex(owner), signatureType: signature_type }
    this.#byAddress.set(wallet.address, wallet)
    this.#byOwner.set(wallet.owner, (this.#byOwner.get(wallet.owner) ?? new Map()).set(wallet.address, wallet))
  }

  #forget(address: Hex): void {
    const wallet = this.#byAddress.get(address)
    if (!wallet) return
    this.#byAddress.delete(address)
    const own = this.#byOwner.get(wallet.owner)
    own?.delete(address)
    if (own?.size === 0) this.#byOwner.delete(wallet.owner)
  }
}

async function insert(
  client: PoolClient,
  { address, owner, signatureType }: RegisteredWallet,
  by: 'claim' | 'proof' | 'derived',
): Promise<void> {
  const { rowCount: known } = await client.query('select from wallet where address = $1', [toBytes(address)])
  if (known !== 0) return
  if (by === 'claim') {
    const { rowCount } = await client.query(
      'select from api_key where owner = $1 union all select from fee_account where account = $1 limit 1',
      [toBytes(address)],
    )
    if (rowCount !== 0) throw new ServiceError('wallet_taken')
  }
  await client.query(
    'insert into wallet (address, owner, signature_type) values ($1, $2, $3) on conflict (address) do nothing', // another owner may be faster
    [toBytes(address), toBytes(owner), signatureType],
  )
  const derived = derivedWallets(owner).map((one) => toBytes(one.address))
  const { rows } = await client.query('select count(*) from wallet where owner = $1 and address <> all($2)', [toBytes(owner), derived])
  if (rows[0].count > WALLETS_PER_OWNER) throw new ServiceError('too_many_wallets')
  await notify(client, WALLET_CHANNEL, address)
}
