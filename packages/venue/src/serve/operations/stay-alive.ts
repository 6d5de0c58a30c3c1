import type { Trader } from '../access/identity.ts'
import type { Context } from './context.ts'

/** Takes a heartbeat; returns the id that the next one must name. Throws `stale_heartbeat` with the id that was expected. */
export async function postHeartbeat(
  ctx: Context,
  trader: Trader,
  { body }: { body: { heartbeat_id: string; timeout_ms: number } },
): Promise<{ heartbeat_id: string }> {
  return { heartbeat_id: await ctx.deadMan.beat(trader.account, body.heartbeat_id, body.timeout_ms) }
}

/** Takes a heartbeat without an id. */
export async function postPlainHeartbeat(ctx: Context, trader: Trader): Promise<{ status: 'ok' }> {
  await ctx.deadMan.plainBeat(trader.account)
  return { status: 'ok' }
}

/** Cancels all orders of the trader after a time, unless called again; 0 disarms. */
export async function cancelAfter(
  ctx: Context,
  trader: Trader,
  { body }: { body: { timeout_ms: number } },
): Promise<{ timeout_ms: number; cancels_at: string | null }> {
  const { timeout_ms } = body
  await ctx.deadMan.cancelAfter(trader.account, timeout_ms)
  return { timeout_ms, cancels_at: timeout_ms ? new Date(ctx.venue.now() + timeout_ms).toISOString() : null }
}
