import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Client } from 'pg'
import { inject } from 'vitest'
import { withConnection } from './connection.ts'
import './global-setup.ts' // for the types of the doors

/** Connection URL of a new, empty database on the run's PostgreSQL 18, which is removed with the run. Close your own connections. */
export async function createDatabase(name = 'test'): Promise<string> {
  return asAdmin('postgresDoor', async (client, url) => {
    const fresh = freshName(name)
    await client.query(`create database ${fresh}`)
    return at(url, fresh)
  })
}

/**
 * Connection URL of a new copy of a migrated database. The first call of a run makes the template by calling `migrate` with its URL;
 * later ones only copy it. `migrate` must leave no connection open.
 */
export const migratedDatabase = (template: string, migrate: (url: string) => Promise<unknown>): Promise<string> =>
  copied('postgresDoor', template, migrate)

/** As `migratedDatabase`, on a server whose commits survive a power cut: what the real programs insist on. */
export const durableDatabase = (template: string, migrate: (url: string) => Promise<unknown>): Promise<string> =>
  copied('durablePostgresDoor', template, migrate)

type Door = 'postgresDoor' | 'durablePostgresDoor'

async function copied(door: Door, template: string, migrate: (url: string) => Promise<unknown>): Promise<string> {
  return asAdmin(door, async (client, url) => {
    const name = checked(`template_${template}`)
    await client.query('select pg_advisory_lock(hashtext($1))', [name])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) {
      const half = freshName(name)
      await client.query(`create database ${half}`)
      await migrate(at(url, half))
      await client.query(`alter database ${half} rename to ${name}`) // only a complete template has the name
    }
    await client.query('select pg_advisory_unlock(hashtext($1))', [name])
    const fresh = freshName(template)
    await client.query(`create database ${fresh} template ${name} strategy file_copy`)
    return at(url, fresh)
  })
}

async function asAdmin<Result>(door: Door, work: (client: Client, url: string) => Promise<Result>): Promise<Result> {
  const url = await text(connect(inject(door), '127.0.0.1'))
  if (!url.startsWith('postgres://')) throw new Error(url)
  return withConnection(url, (client) => work(client, url))
}

function at(url: string, database: string): string {
  const address = new URL(url)
  address.pathname = database
  return address.href
}

const freshName = (name: string) => checked(`${name}_${randomBytes(6).toString('hex')}`)

function checked(name: string): string {
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(name)) throw new Error(`not a database name: ${name}`)
  return name
}
