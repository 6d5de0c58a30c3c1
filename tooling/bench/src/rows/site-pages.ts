import { existsSync, readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { venueClient } from '@augury/client/rest'
import { signIn } from '@augury/client/sign-in'
import { startSettings, webSettings } from '@augury/settings/env'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { median } from '../interleave.ts'
import type { Row } from '../row.ts'
import { processorTime } from '../service/processor.ts'

/** Connections; as many readers without pause find the peak, of which half is asked for when it counts. */
const CONNECTIONS = 4
const WARM = 80
const EVENTS = 12

/** A page as a reader waits for it: until its first byte, and until all of it, in milliseconds. */
interface Wait {
  first: number
  whole: number
}

/** Pages that the site of `npm start` renders, whole, for a visitor and for a member; it starts nothing itself. */
export const sitePages: Row = {
  id: '12',
  work: 'pages as the server renders them: home, event, portfolio of a member',
  target: 'p95 ≤ 50 ms at half of peak',
  async measure({ quick }) {
    const { origin } = webSettings()
    const pid = siteProcess()
    if (pid === null) return { why: 'no site runs here: npm start' }
    const token = await member(origin)
    const slugs = ((await (await fetch(`${origin}/api/events?limit=${EVENTS}`)).json()) as { slug: string }[]).map(({ slug }) => slug)
    const pages = { home: ['/'], event: slugs.map((slug) => `/event/${slug}`), portfolio: ['/portfolio'] }
    const figures = []
    const notes: string[] = []
    let met = true
    for (const [name, paths] of Object.entries(pages)) {
      const asked = (count: number) => Array.from({ length: count }, (_, n) => `${origin}${paths[n % paths.length]}`)
      await waits(asked(WARM), token)
      const begun = performance.now()
      await waits(asked(WARM), token)
      const half = (WARM * 500) / (performance.now() - begun)
      const before = processorTime(pid)
      const all = await waits(asked(quick ? 100 : 400), token, half)
      const after = processorTime(pid)
      const [p50, p95, p99] = [0.5, 0.95, 0.99].map(
        (part) => all.map(({ whole }) => whole).toSorted((a, b) => a - b)[Math.floor(all.length * part)]!,
      )
      met &&= p95! <= 50
      figures.push({ name: `${name} p95`, value: p95!, unit: 'ms' })
      const first = median(all.map((wait) => wait.first))
      const each = ((after.all - before.all) * 1000) / all.length
      notes.push(
        `${name} at ${half.toFixed(0)} a second: p50 ${p50!.toFixed(1)}, p99 ${p99!.toFixed(1)} ms, first byte ${first.toFixed(1)} ms, ${each.toFixed(1)} ms of processor time`,
      )
    }
    return { figures, met, note: notes.join('; ') }
  },
}

/** The process that serves the site of this data folder; null where none does. */
function siteProcess(): number | null {
  const file = join(startSettings().dataDir, 'start.pid')
  if (!existsSync(file)) return null
  const starter = readFileSync(file, 'utf8').trim()
  if (!existsSync(`/proc/${starter}`)) return null
  const children = readFileSync(`/proc/${starter}/task/${starter}/children`, 'utf8').trim().split(' ')
  return Number(children.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('server.mjs'))) || null
}

/** The session of a new visitor. */
async function member(url: string): Promise<string> {
  const { chain_id } = await venueClient({ url: webSettings().clobUrl }).getStatus()
  return (await signIn({ url, chainId: chain_id, wallet: privateKeyToAccount(generatePrivateKey()) })).token
}

/** Asks for pages as fast as they come, or at `perSecond`, where a wait counts from when it was due. Throws at any answer but 200. */
async function waits(urls: readonly string[], token: string, perSecond = Number.POSITIVE_INFINITY): Promise<Wait[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const left = urls.entries()
  const all: Wait[] = []
  const begun = performance.now()
  const read = async () => {
    for (const [n, url] of left) {
      const due = Number.isFinite(perSecond) ? begun + (n * 1000) / perSecond : performance.now()
      if (due > performance.now()) await sleep(due - performance.now())
      all.push(await wait(url, token, agent, due))
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, read))
  agent.destroy()
  return all
}

function wait(url: string, token: string, agent: Agent, due: number): Promise<Wait> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'br', 'accept-language': 'en' }
    get(url, { agent, headers }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`${url} answered ${response.statusCode}`))
      let first = 0
      response.on('data', () => (first ||= performance.now() - due))
      response.on('end', () => resolve({ first, whole: performance.now() - due }))
      response.on('error', reject)
    }).on('error', reject)
  })
}
