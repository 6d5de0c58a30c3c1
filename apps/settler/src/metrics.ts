import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Round } from './round.ts'

/** Metrics of a settler for Prometheus. */
export interface Metrics {
  /** Sets what a round found. */
  onRound(round: Round, now: number): void
  /** Whether this settler is the active one. */
  onLease(isOurs: boolean): void
  text(): Promise<string>
}

/** Opens the metrics. What is not known yet is not shown. */
export function openMetrics(): Metrics {
  const register = new Registry()
  // Looking at the event loop every 10 ms, as is usual, would wake a settler that rests.
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: 500 })
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [register] })
  const lag = gauge('augury_chain_lag_blocks', 'Blocks between the head and the newest confirmed one.')
  const wei = gauge('augury_hot_wallet_balance', 'Coins of the key that signs, for gas.')
  const open = gauge('augury_outbox_open', 'Transactions that wait for a confirmed block.')
  const unpaid = gauge('augury_oldest_unpaid_seconds', 'Since the oldest withdrawal that waits was set aside; 0 without one.')
  const rootAge = gauge('augury_root_age_seconds', 'Since the newest root was posted.')
  const depth = gauge('augury_reorg_depth', 'Blocks between the last credited deposit and the fork below it.')
  const halted = gauge('augury_halted', '1 while payments are stopped until an operator has looked.')
  const troubles = gauge('augury_settler_troubles', 'Steps that failed in the last round.')
  const isActive = gauge('augury_settler_active', '1 while this settler has the lease.')
  const since = (iso: string, now: number) => Math.max(0, (now - Date.parse(iso)) / 1000)
  return {
    onLease: (isOurs) => isActive.set(isOurs ? 1 : 0),
    onRound(round, now) {
      const { status } = round
      if (round.at) lag.set(round.at.head.number - round.at.pin.number)
      if (!status) return
      if (status.operator.wei !== null) wei.set(Number(status.operator.wei) / 1e18)
      open.set(status.outbox_open)
      unpaid.set(status.oldest_unpaid_at === null ? 0 : since(status.oldest_unpaid_at, now))
      if (status.root) rootAge.set(since(status.root.posted_at, now))
      depth.set(round.watched?.reorgDepth ?? 0)
      halted.set(status.halted ? 1 : 0)
      troubles.set(status.troubles.length)
    },
    text: () => register.metrics(),
  }
}
