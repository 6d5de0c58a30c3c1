import type { Hex } from 'viem'
import type { Deposit, DepositStore, Intent, Ledger, OutboxStore, Pin, Withdrawal } from '../src/ports.ts'

// Durable stores in memory. What they hold is copied both ways, as a database would.

/** Intents of one key. */
export function memoryOutbox(): OutboxStore & { all: Map<number, Intent> } {
  const all = new Map<number, Intent>()
  let next: number | null = null
  return {
    all,
    nextNonce: async () => next,
    begin: async (nonce) => {
      next ??= nonce
    },
    intents: async (from) =>
      structuredClone([...all.values()].filter(({ nonce, booked }) => !booked || nonce >= from)).sort((a, b) => a.nonce - b.nonce),
    booked: async (skip, limit) =>
      structuredClone([...all.values()].filter(({ booked }) => booked !== null))
        .sort((a, b) => b.booked!.number - a.booked!.number)
        .slice(skip, skip + limit),
    add: async (added) => {
      if (added.nonce !== next) throw new Error('another process has taken this nonce')
      all.set(next++, structuredClone(added))
    },
    save: async (saved) => {
      all.set(saved.nonce, structuredClone(saved))
    },
  }
}

/** Credited deposits. */
export function memoryDeposits(): DepositStore & { all: Deposit[] } {
  const all: Deposit[] = []
  let scanned: Pin | null = null
  return {
    all,
    credited: async (below, limit) =>
      structuredClone(
        all
          .filter(({ n }) => below === null || n < below)
          .slice(-limit)
          .reverse(),
      ),
    add: async (deposits) => {
      if (deposits.some(({ n }, index) => n !== all.length + index + 1)) throw new Error('another process has credited these')
      all.push(...structuredClone(deposits))
    },
    move: async (deposits) => {
      for (const deposit of deposits) all[deposit.n - 1] = structuredClone(deposit)
    },
    scanned: async () => scanned,
    setScanned: async (block) => {
      scanned = block
    },
  }
}

/** The exchange: what it credited by ref, and its withdrawals. Counts what must not happen. */
export function memoryLedger(): Ledger & MemoryLedger {
  const credits = new Map<string, { account: Hex; amount: number }>()
  const ended = new Map<string, 'settled' | 'returned'>()
  const asked: Withdrawal[] = []
  const claims = new Map<string, 'member' | 'settler'>()
  const end = (ref: string, how: 'settled' | 'returned') => {
    const before = ended.get(ref)
    if (before && before !== how) throw new Error(`${ref} is ${before} already`)
    ended.set(ref, how)
  }
  return {
    credits,
    ended,
    asked,
    claims,
    credit: async (asked) => {
      for (const { ref, account, amount } of asked) {
        const before = credits.get(ref)
        if (before && (before.account !== account || before.amount !== amount)) return ref
        credits.set(ref, { account, amount })
      }
      return null
    },
    withdrawals: async () =>
      asked.filter(({ ref }) => !ended.has(ref)).map((one) => ({ ...one, isCancelled: claims.get(one.ref) === 'member' })),
    claim: async (refs) => {
      for (const ref of refs) if (!claims.has(ref)) claims.set(ref, 'settler')
      return new Set(refs.filter((ref) => claims.get(ref) === 'settler'))
    },
    endings: async (refs) => refs.map((ref) => ended.get(ref) ?? 'waiting'),
    settle: async (ref) => end(ref, 'settled'),
    giveBack: async (ref) => end(ref, 'returned'),
  }
}

export interface MemoryLedger {
  credits: Map<string, { account: Hex; amount: number }>
  ended: Map<string, 'settled' | 'returned'>
  /** Who has the say over a withdrawal: the first that claimed it. */
  claims: Map<string, 'member' | 'settler'>
  asked: Withdrawal[]
}
