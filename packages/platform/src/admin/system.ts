import { setTimeout } from 'node:timers/promises'
import { tables } from '@augury/domain/platform/tables'
import type { Output } from '@augury/wire/operation'
import type { adminSystemOperations } from '@augury/wire/platform/admin-system'
import type { ServiceStatus } from '@augury/wire/service-status'
import { sql } from 'kysely'
import manifest from '../../package.json' with { type: 'json' }
import { askExchange } from '../authorization/ask-exchange.ts'
import { runSensitive } from '../authorization/run-as-admin.ts'
import type { Admin } from '../authorization/viewer.ts'
import { chainOf } from '../chain/chain-node.ts'
import { secretOf } from '../settings/secrets.ts'
import type { Site } from '../site/site.ts'
import { syncState } from '../sync/sync-state.ts'

type Answer = Output<typeof adminSystemOperations.adminSystem>
type Part = Answer['data']['parts'][number]

/** Seconds of lag at which history is late, and minutes without a run after which the worker counts as down. */
const LATE = 60
const MISSED = 15
/** Minutes without a run that went well after which a job counts as failing; longer for the one that runs once an hour. */
const FAILING = 30
const HOURLY = 'cleaning'
const FAILING_HOURLY = 180

/** Milliseconds that the exchange has to answer, before it is shown as down. */
const PATIENCE = 2_000

/** A time to the minute, in UTC. */
const minuteOf = (time: string | Date) => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`

const part = (name: Part['name'], state: Part['state'], text: string, remedy = ''): Part => ({ name, state, text, remedy })

/** The state of every part, with a remedy where one is not well. Works also while the exchange is down. */
export async function showSystem(site: Site): Promise<Answer> {
  const now = site.now()
  const [status, worker, database, keys, uploads, model, chain] = await Promise.all([
    exchangeStatus(site),
    workerPart(site, now),
    databaseFacts(site),
    outdatedKeys(site),
    uploadsPart(site),
    modelPart(site),
    chainPart(site),
  ])
  const { mode, origin, chainId } = site.settings
  return {
    success: true,
    data: {
      parts: [part('database', 'ok', 'PostgreSQL answers.'), ...exchangeParts(status), worker, uploads, model, chain],
      exchange: status && {
        mode: status.mode,
        since: status.since,
        seq: status.seq,
        projected_seq: status.projected_seq,
        lag_seconds: status.lag,
        writer: status.writer,
        epoch: status.epoch,
      },
      keys,
      versions: { site: manifest.version, node: process.version, ...database },
      settings: { mode, origin, chain_id: chainId, operator: site.exchange.operatorAddress },
      now: now.toISOString(),
    },
  }
}

function exchangeStatus(site: Site): Promise<ServiceStatus | null> {
  const status = site.exchange.anybody.getStatus().catch(() => null)
  return Promise.race([status, setTimeout(PATIENCE, null, { ref: false })])
}

function exchangeParts(status: ServiceStatus | null): Part[] {
  if (!status)
    return [
      part(
        'exchange',
        'down',
        'The exchange does not answer.',
        'Look whether clob-server runs and whether CLOB_URL is its address. Open orders are safe.',
      ),
    ]
  const { mode, since, lag, history } = status
  const normal = mode === 'normal'
  return [
    part(
      'exchange',
      normal ? 'ok' : 'warning',
      `The exchange is in mode ${mode} since ${minuteOf(since)}.`,
      normal || mode === 'starting' ? '' : 'Switch it back to normal when the reason is gone.',
    ),
    history === 'stopped'
      ? part(
          'history',
          'down',
          'History does not follow the exchange any more.',
          'Look at the log of clob-server, then run npm run rebuild-read-model.',
        )
      : part(
          'history',
          lag > LATE ? 'warning' : 'ok',
          `History is ${Math.round(lag)} s behind.`,
          lag > LATE ? 'It catches up by itself; if it does not, look at the load of its database.' : '',
        ),
  ]
}

async function workerPart(site: Site, now: Date): Promise<Part> {
  const { last, dead } = await tables(site.em())
    .selectFrom('sync_run')
    .select((eb) => [
      eb.fn.max<Date | null>(eb.fn.coalesce('finished_at', 'started_at')).as('last'),
      eb.selectFrom('sync_failure').select(sql<number>`count(*)::int`.as('dead')).where('dead', '=', true).as('dead'),
    ])
    .executeTakeFirstOrThrow()
  if (last === null || now.getTime() - last.getTime() > MISSED * 60_000)
    return part(
      'worker',
      'down',
      last === null ? 'No job has ever run.' : `No job has run since ${minuteOf(last)}.`,
      'Start the sync worker: prices, volumes, resolutions and payouts wait for it.',
    )
  const failing = (await syncState(site)).filter(
    ({ job, lag_seconds }) => lag_seconds !== null && lag_seconds > 60 * (job === HOURLY ? FAILING_HOURLY : FAILING),
  )
  if (failing.length > 0)
    return part(
      'worker',
      'warning',
      `These have failed for more than ${FAILING} minutes: ${failing.map(({ job }) => job).join(', ')}.`,
      'Look below at what the last run of each says, and mend that. They go on by themselves.',
    )
  if (dead! > 0)
    return part(
      'worker',
      'warning',
      `${dead === 1 ? '1 item' : `${dead} items`} failed again and again.`,
      'Look at them under dead letters, mend the cause, and retry them.',
    )
  return part('worker', 'ok', `The last job ended at ${minuteOf(last)}.`)
}

async function databaseFacts(site: Site): Promise<{ postgres: string; migration: string }> {
  const [row]: { postgres: string; migration: string }[] = await site
    .em()
    .execute(
      `select current_setting('server_version') as postgres, (select name from mikro_orm_migrations order by id desc limit 1) as migration`,
    )
  return row!
}

/** Every sealed value in the database. */
const SEALED = `
  select secret as sealed from two_factor union all select secret from trading_credential union all select passphrase from trading_credential
  union all select sealed from sealed_setting`

async function outdatedKeys(site: Site): Promise<Answer['data']['keys']> {
  const current = site.settings.keyRing[0]!.id
  const [row]: { n: number }[] = await site
    .em()
    .execute(`select count(*)::int as n from (${SEALED}) kept where split_part(sealed, '.', 2) <> ?`, [current])
  return { current, to_rotate: row!.n }
}

/** Checks uploads by storing the same few bytes again, which shows more than looking at permissions or an address. */
async function uploadsPart({ blobs, settings }: Site): Promise<Part> {
  const kept = await blobs.put('probe', Buffer.from('probe'), 'text/plain').then(
    () => true,
    () => false,
  )
  if (kept) return part('uploads', 'ok', 'Images can be stored.')
  const remedy = settings.uploadsUrl
    ? 'Look whether the bucket of UPLOADS_URL is there and its key may write.'
    : 'Let the site write into DATA_DIR.'
  return part('uploads', 'warning', 'Images cannot be stored.', remedy)
}

async function modelPart(site: Site): Promise<Part> {
  const set = await secretOf(site.em(), site.vault, 'ai.apiKey').then(
    (key) => key !== null,
    () => null,
  )
  if (set === null)
    return part('model', 'down', 'The key of the model cannot be opened.', 'Put the key that sealed it back into KEY_RING, or set it anew.')
  return set
    ? part('model', 'ok', 'The key of the model is set.')
    : part('model', 'off', 'No model is set up.', 'Set a key under Writing help.')
}

/** Queries the node of contract wallets for its chain. */
async function chainPart({ settings: { chainId, rpcUrl } }: Site): Promise<Part> {
  if (rpcUrl === null)
    return part('chain', 'off', 'No chain node is set up, so contract wallets cannot sign in.', 'Set RPC_URL if they should.')
  const answered = await chainOf(rpcUrl)
  if (answered === chainId) return part('chain', 'ok', `The chain node serves chain ${chainId}.`)
  return answered === null
    ? part('chain', 'warning', 'The chain node does not answer, so contract wallets cannot sign in.', 'Check the node of RPC_URL.')
    : part(
        'chain',
        'down',
        `The chain node serves chain ${answered} instead of ${chainId}, so contract wallets cannot sign in.`,
        'Set RPC_URL to a node of the chain of the exchange.',
      )
}

/** Sets the mode of the whole exchange. Repeating it changes nothing. */
export function setVenueMode(
  site: Site,
  admin: Admin,
  { body: { mode } }: { body: { mode: 'normal' | 'cancel_only' | 'paused' } },
): Promise<{ success: true }> {
  return runSensitive(site, admin, async () => {
    const treasury = await askExchange(site.exchange.treasury())
    const before = (await askExchange(treasury.getStatus())).mode
    const calls = { normal: treasury.resumeVenue, cancel_only: treasury.cancelOnlyVenue, paused: treasury.pauseVenue }
    await askExchange(calls[mode]())
    return {
      answer: { success: true },
      record: before === mode ? null : { action: 'venue_mode_changed', target: 'exchange', before: { mode: before }, after: { mode } },
    }
  })
}
