import type { Hex } from '@augury/engine/command'
import { type SigningKey, signingKey } from '@augury/signing/hmac'
import { deriveKeySecrets } from '@augury/signing/key-secrets'
import { sha256 } from '@augury/signing/sha256'
import type { Credentials, ListedKey, Scope } from '@augury/wire/credentials'
import { ServiceError } from '@augury/wire/service-error'
import type { Pool, PoolClient } from 'pg'
import { notify } from '../../base/notices.ts'
import { toBytes, toHex } from '../../base/postgres.ts'
import type { OwnerTransactions } from './owner-transactions.ts'

/** NOTIFY channel for changes of keys; the payload is the key's id. */
export const KEY_CHANNEL = 'api_key'

/** A live API key. */
export interface ApiKey {
  /** Public identifier. */
  key: string
  owner: Hex
  name: string
  scope: Scope
  nonce: bigint
  generation: number
  /** Operator through which it was created, or null. */
  deployment: Hex | null
  passphraseHash: Buffer
  /** Key of the HMAC that signs its requests. */
  readonly hmac: SigningKey
}

interface Row {
  key: string
  owner: Buffer
  name: string
  scope: Scope
  nonce: string
  generation: number
  deployment: Buffer | null
  passphrase_hash: Buffer
  revoked_at: Date | null
}

/** A request for a key. */
export interface KeyWish {
  owner: Hex
  nonce: bigint
  scope: Scope | undefined
  name: string | undefined
  deployment: Hex | null
}

/** Live keys that one wallet may have: each is kept in memory. */
const KEYS_PER_OWNER = 100

const COLUMNS = 'key, owner, name, scope, nonce, generation, deployment, passphrase_hash, revoked_at'

/** All API keys, in memory. A revoked key is gone here before its revocation is answered, and in other processes when they are notified. */
export class Keys {
  readonly #db: Pool
  readonly #owners: OwnerTransactions
  readonly #secret: Buffer
  readonly #live = new Map<string, ApiKey>()
  /** The same by owner. */
  readonly #byOwner = new Map<Hex, Map<string, ApiKey>>()
  /** Generation of the newest key per owner and nonce, and its id while it lives. */
  readonly #newest = new Map<string, { generation: number; key: string | null }>()
  readonly #used = new Set<string>()

  private constructor(db: Pool, owners: OwnerTransactions, secret: string) {
    this.#db = db
    this.#owners = owners
    this.#secret = Buffer.from(secret)
  }

  /** Reads the table `api_key`. `secret` is the server's: under another one, earlier keys are invalid. */
  static async load(db: Pool, owners: OwnerTransactions, secret: string): Promise<Keys> {
    const keys = new Keys(db, owners, secret)
    await keys.reload()
    return keys
  }

  /** Reads the table, or one key of it, again. */
  async reload(key?: string): Promise<void> {
    const which = key === undefined ? 'order by generation' : 'where key = $1'
    const { rows } = await this.#db.query<Row>(`select ${COLUMNS} from api_key ${which}`, key === undefined ? [] : [key])
    for (const row of rows) this.#remember(row)
  }

  /** The live key with this id, or null. */
  find(key: string): ApiKey | null {
    return this.#live.get(key) ?? null
  }

  /** Live keys of an account, in order of creation. */
  of(owner: Hex): ApiKey[] {
    return [...(this.#byOwner.get(owner)?.values() ?? [])]
  }

  /** The live keys of an account as their owner sees them, in order of creation. */
  async listed(owner: Hex): Promise<ListedKey[]> {
    const { rows } = await this.#db.query<{ key: string; created_at: Date; last_used: Date | null }>(
      'select key, created_at, last_used from api_key where owner = $1 and revoked_at is null order by created_at, key',
      [toBytes(owner)],
    )
    return rows.flatMap(({ key, created_at, last_used }) => {
      const live = this.#live.get(key)
      if (!live) return [] // made with another server secret
      const times = { created_at: created_at.toISOString(), last_used: last_used?.toISOString() ?? null }
      return { apiKey: key, name: live.name, scope: live.scope, nonce: String(live.nonce), ...times }
    })
  }

  /**
   * The credentials of a wallet and nonce, created at the first call. Throws `scope_conflict` when they exist with another scope or name,
   * and `key_not_created` at KEYS_PER_OWNER live keys.
   */
  async create(wish: KeyWish): Promise<Credentials> {
    const { owner, nonce, scope, name, deployment } = wish
    if (this.#hasOrMay(wish)) return this.derive(owner, nonce)
    const made = await this.#owners.run(owner, async (client) => {
      await this.#reloadOf(client, owner, nonce)
      if (this.#hasOrMay(wish)) return null // another request was faster
      const generation = (this.#newest.get(place(owner, nonce))?.generation ?? -1) + 1
      const { apiKey, passphrase } = this.#credentials({ owner, nonce, generation })
      const identity = [apiKey, toBytes(owner), name ?? '', scope ?? 'trade', String(nonce), generation]
      const { rows } = await client.query<Row>(
        `insert into api_key (key, owner, name, scope, nonce, generation, deployment, passphrase_hash) values ($1, $2, $3, $4, $5, $6, $7, $8)
         returning ${COLUMNS}`,
        [...identity, deployment && toBytes(deployment), passphraseHash(passphrase)],
      )
      await notify(client, KEY_CHANNEL, apiKey)
      return rows[0]!
    })
    if (made) this.#remember(made)
    return this.derive(owner, nonce)
  }

  /** The credentials that `create` answered for a wallet and nonce. Throws `key_not_derivable` when there are none or they were revoked. */
  derive(owner: Hex, nonce: bigint): Credentials {
    const key = this.#newest.get(place(owner, nonce))?.key
    if (!key) throw new ServiceError('key_not_derivable')
    return this.#credentials(this.#live.get(key)!)
  }

  /** Ends a key for good. */
  async revoke(key: ApiKey): Promise<void> {
    await this.#db.query('update api_key set revoked_at = now() where key = $1 and revoked_at is null', [key.key])
    this.#forget(key.key)
    await notify(this.#db, KEY_CHANNEL, key.key)
  }

  /** Notes that a key signed a request, for `writeUses`. */
  used(key: ApiKey): void {
    this.#used.add(key.key)
  }

  /** Stores the time of use for keys that were used since the last call. */
  async writeUses(): Promise<void> {
    if (!this.#used.size) return
    const used = [...this.#used]
    this.#used.clear()
    await this.#db.query('update api_key set last_used = now() where key = any($1::uuid[])', [used])
  }

  /** True when the wallet has the requested key, false when it may get it. Throws like `create`. */
  #hasOrMay({ owner, nonce, scope, name }: KeyWish): boolean {
    const id = this.#newest.get(place(owner, nonce))?.key
    if (!id) {
      if (this.of(owner).length >= KEYS_PER_OWNER) throw new ServiceError('key_not_created', { details: { limit: KEYS_PER_OWNER } })
      return false
    }
    const existing = this.#live.get(id)!
    if ((scope ?? existing.scope) !== existing.scope || (name ?? existing.name) !== existing.name) throw new ServiceError('scope_conflict')
    return true
  }

  /** Reads the live keys of a wallet, and all keys ever made for a nonce, again. */
  async #reloadOf(client: PoolClient, owner: Hex, nonce: bigint): Promise<void> {
    const { rows } = await client.query<Row>(
      `select ${COLUMNS} from api_key where owner = $1 and (revoked_at is null or nonce = $2) order by generation`,
      [toBytes(owner), String(nonce)],
    )
    for (const row of rows) this.#remember(row)
  }

  #credentials({ owner, nonce, generation }: Pick<ApiKey, 'owner' | 'nonce' | 'generation'>): Credentials {
    return deriveKeySecrets(this.#secret, { address: owner, nonce: String(nonce), generation, kind: 'api' })
  }

  #remember(row: Row): void {
    const owner = toHex(row.owner)
    const nonce = BigInt(row.nonce)
    const at = place(owner, nonce)
    const newest = this.#newest.get(at)
    if (row.revoked_at) {
      this.#forget(row.key)
      if (!newest || newest.generation < row.generation) this.#newest.set(at, { generation: row.generation, key: null })
      return
    }
    if (this.#live.has(row.key)) return
    // The row was read before its revocation: per nonce only the newest key lives, and a revoked key never lives again.
    if (newest && (newest.generation > row.generation || (newest.generation === row.generation && newest.key === null))) return
    const derived = this.#credentials({ owner, nonce, generation: row.generation })
    if (derived.apiKey !== row.key) {
      // Made under another server secret: no request can be signed with it any more, but its generation is taken.
      if (!newest || newest.generation < row.generation) this.#newest.set(at, { generation: row.generation, key: null })
      return
    }
    const key: ApiKey = {
      key: row.key,
      owner,
      name: row.name,
      scope: row.scope,
      nonce,
      generation: row.generation,
      deployment: row.deployment && toHex(row.deployment),
      passphraseHash: row.passphrase_hash,
      hmac: signingKey(derived.secret),
    }
    this.#live.set(row.key, key)
    this.#byOwner.set(owner, (this.#byOwner.get(owner) ?? new Map()).set(row.key, key))
    this.#newest.set(at, { generation: row.generation, key: row.key })
  }

  #forget(id: string): void {
    const key = this.#live.get(id)
    if (!key) return
    this.#live.delete(id)
    const own = this.#byOwner.get(key.owner)
    own?.delete(id)
    if (own?.size === 0) this.#byOwner.delete(key.owner)
    const newest = this.#newest.get(place(key.owner, key.nonce))
    if (newest?.key === id) newest.key = null
  }
}

/** The stored form of a passphrase. */
export const passphraseHash = (passphrase: string): Buffer => sha256(passphrase)

const place = (owner: Hex, nonce: bigint): string => `${owner}/${nonce}`
