import { setTimeout } from 'node:timers/promises'
import { formatMicros } from '@augury/client/amounts'
import { pages } from '@augury/client/pages'
import { HistoryReader } from '@augury/client/public-history'
import { checkBalanceIn } from '@augury/client/verify-balance'
import { checkRoots, type RootFinding } from '@augury/client/verify-root'
import type { BalanceProof, SignedRoot } from '@augury/wire/proof'
import { checkVault } from '../chain/check-vault.ts'
import { exitFileFlag, rpcFlag, vaultFlag } from '../chain/connect.ts'
import type { Command, Session } from '../command.ts'
import { Failure, misuse } from '../failure.ts'
import { readCount } from '../read-count.ts'
import { columns } from '../table.ts'

const PAGE = 500

/** Explanations of faults. */
const faults: Readonly<Record<RootFinding['fault'], string>> = {
  hash: 'its hash is not of what it says',
  signature: 'its key did not sign it',
  sums: 'what it owes is not what came in',
  missing: 'a root before it is missing, or they are out of order',
  chain: 'it does not name the root before it',
  backwards: 'it is not later than the root before it',
  key: 'another key signed it, and the former key did not vouch for that',
}

/** Verifies the exchange's signed roots, and on request a balance or all history, without trusting the exchange. */
export const verify: Command = {
  usage: '[--roots N] [--key HEX] [--account] [--history [--skip-books]] [--chain --vault ADDRESS]',
  about: 'Check that the exchange has what it owes: the chain of its signed roots, your own balance in it, and all of history.',
  flags: {
    roots: { value: 'N', about: 'How many roots to check. Default: all.' },
    key: { value: 'HEX', about: 'Public key that you know to be the exchange’s: the oldest root of the chain must be signed by it.' },
    account: { about: 'Prove that your own balances are in the newest root.' },
    history: { about: 'Read all public history, add up every balance and every book, and compare.' },
    chain: { about: 'Check the vault on the chain: its last root is one of these, and it holds what it owes.' },
    ...{ vault: vaultFlag, 'exit-file': exitFileFlag, rpc: rpcFlag },
    'skip-books': { about: 'With --history: compare balances only.' },
  },
  words: [0, 0],
  async run(session, args) {
    const { flag, given } = args
    if (given('skip-books') && !given('history')) throw misuse('--skip-books goes with --history')
    if (!given('chain') && (given('vault') || given('exit-file') || given('rpc')))
      throw misuse('--vault, --exit-file and --rpc go with --chain')
    const key = flag('key')?.toLowerCase()
    if (key !== undefined && !/^[0-9a-f]{64}$/.test(key)) throw misuse('--key is 64 hex digits') // and no word against the exchange
    // The proof first, so that its root is in the chain, which is read afterwards.
    const proof = given('account') ? await (await session.trader()).getBalanceProof() : null
    const roots = await readRoots(session, flag('roots'), proof?.root.n)
    const newest = roots.at(-1)
    if (!newest) throw new Failure('no_roots', 'the exchange has signed nothing yet')
    const findings = await checkRoots(roots, key)
    if (findings.length > 0)
      throw wrong(
        'bad_chain',
        findings.map(({ n, fault }) => `root ${n}: ${faults[fault]}`),
      )
    const result: Record<string, unknown> = { roots: roots.length, newest, signed_by: newest.key }
    const lines = [
      ['roots', `${roots.length} in a chain, ${roots[0]!.n} to ${newest.n}, signed and unbroken`],
      ['newest', `position ${newest.seq}, ${new Date(newest.at).toISOString()}`],
      ['key', newest.key],
      [
        'owed',
        `${usdc(newest.usdc)} to ${newest.holders} accounts, ${usdc(newest.locked)} behind shares, ${usdc(newest.converted)} in events`,
      ],
      ['held', `${usdc(newest.custody)}: exactly that`],
    ]
    if (proof) {
      const { amounts, proven } = checkOwn(proof, roots, (await session.apiKey()).address)
      result.account = amounts
      lines.push(...proven)
    }
    if (given('history')) {
      const { facts, seq, books } = await checkHistory(session, newest, !given('skip-books'))
      result.history = { facts, seq, books }
      lines.push(['history', `${facts} facts up to ${seq} make exactly the state of root ${newest.n}`])
      if (!given('skip-books')) lines.push(['books', `${books} made from history, all as the exchange shows them`])
    }
    if (given('chain')) {
      const { vault, rows } = await checkVault(session, args, roots)
      result.vault = vault
      lines.push(...rows)
    }
    session.show(result, () => columns(lines))
  },
}

const usdc = (micros: string): string => `${formatMicros(micros)} USDC`
const shares = (lots: string): string => formatMicros(`${lots}0000`)

const wrong = (code: string, details: readonly string[]): Failure =>
  new Failure(code, `the exchange does not hold what it says: ${details[0]}`, 1, details)

/** The latest roots, oldest first: as many as requested, and at least back to root `backTo`. */
async function readRoots({ visitor }: Session, text: string | undefined, backTo = Number.POSITIVE_INFINITY): Promise<SignedRoot[]> {
  const wanted = text === undefined ? Number.POSITIVE_INFINITY : readCount(text, '--roots')
  const limit = Math.min(PAGE, wanted)
  const roots: SignedRoot[] = []
  for await (const root of pages((next_cursor) => visitor.listStateRoots({ query: { limit, next_cursor } }))) {
    if (roots.push(root) >= wanted && root.n <= backTo) break
  }
  return roots.toReversed()
}

/** Checks the caller's balances against the public chain, not against the root that comes with the proof. */
function checkOwn(proof: BalanceProof, roots: readonly SignedRoot[], address: string) {
  const { n } = proof.root
  const found = checkBalanceIn(roots, proof, address)
  if (!found) throw wrong('bad_chain', [`root ${n}, in which your balances are said to be, is not in the chain`])
  const bad = found.filter(({ fault }) => fault !== null)
  if (bad.length > 0)
    throw wrong(
      'bad_proof',
      bad.map(({ asset, fault }) => `your ${asset.token_id ?? 'USDC'} is not in root ${n} (${fault})`),
    )
  const amounts = found.map(({ asset }) => ({
    market: asset.market,
    outcome: asset.outcome,
    token_id: asset.token_id,
    amount: asset.amount,
  }))
  const proven = found.map(({ asset: { market, outcome, amount } }) => [
    'yours',
    market === null ? usdc(amount) : `${shares(amount)} shares of ${outcome === 0 ? 'Yes' : 'No'} in ${market}`,
  ])
  const none = [['yours', 'nothing: compare with `augury portfolio`']]
  return { amounts: { address, root: n, assets: amounts }, proven: proven.length > 0 ? proven : none }
}

async function checkHistory({ visitor, terminal, json }: Session, root: SignedRoot, withBooks: boolean) {
  const reader = new HistoryReader(visitor, (ms) => setTimeout(ms))
  let shownAt = Date.now()
  const progress = (seq: number) => {
    if (json || Date.now() - shownAt < 2000) return
    shownAt = Date.now()
    terminal.error(`note: read history up to ${seq} of ${root.seq}`)
  }
  await reader.advance(root.seq, progress)
  const differences = reader.history.differences(root)
  if (differences.length > 0) throw wrong('bad_history', differences)
  const facts = reader.facts
  if (!withBooks) return { facts, seq: root.seq, books: 0 }

  // A book is compared with history up to its last change, or with the history read so far if it has not changed since.
  const tokens = new Map<string, string>()
  const open = pages((next_cursor) => visitor.listSamplingMarkets({ query: { next_cursor } }))
  for await (const market of open) tokens.set(market.condition_id, market.tokens[0]!.token_id)
  await reader.advance((await visitor.getStatus()).seq)
  let books = 0
  for (const market of reader.history.markets()) {
    const token_id = tokens.get(market)
    if (token_id === undefined) continue
    const shown = await visitor.getOrderbook({ query: { token_id } })
    await reader.advance(shown.seq)
    const made = reader.history.book(market)
    if (JSON.stringify([made.bids, made.asks]) !== JSON.stringify([shown.bids, shown.asks])) {
      throw wrong('bad_book', [`the book of ${market} at ${shown.seq} is not what its orders make`])
    }
    books++
  }
  return { facts, seq: root.seq, books }
}
