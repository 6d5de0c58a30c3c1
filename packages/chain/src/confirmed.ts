import type { Block, Node, Nodes, Pin } from './ports.ts'

/** When a block counts as confirmed. */
export interface Confirmation {
  /** Blocks on top of it. 0 in a sandbox, whose chain mines only when there is something to mine. */
  confirmations: number
  /** Whether it must also be the chain's `finalized` block or below. Nothing advances while finality stalls. */
  finalized: boolean
}

/** The head, and the newest confirmed block. */
export interface Confirmed {
  head: Block
  pin: Pin
}

/**
 * The newest confirmed block: the lower of `head − confirmations` and, if asked for, `finalized`. Null while there is none. A head that the node
 * cannot show by its number is not believed.
 */
export async function confirmedBlock(node: Node, { confirmations, finalized }: Confirmation): Promise<Confirmed | null> {
  const head = await node.block('latest')
  if (!head) return null
  const final = finalized ? await node.block('finalized') : head
  if (!final) return null
  const number = Math.min(head.number - confirmations, final.number)
  if (number < 0) return null
  const pin = await node.block(number)
  const shown = await node.block(head.number)
  return pin && shown?.hash === head.hash ? { head, pin: { number, hash: pin.hash } } : null
}

/** Whether a block is still part of the chain. */
export const isCanonical = async (node: Node, { number, hash }: Pin): Promise<boolean> => (await node.block(number))?.hash === hash

/** A node to read from, and the confirmed block to read at. */
export interface View {
  node: Node
  pin: Pin
}

/**
 * The view that decides about a sum in millionths: the first node at the confirmed block, or, above the limit, both nodes at the newest block that is
 * confirmed by both. Null while that is missing.
 */
export async function viewFor(
  sum: number,
  pin: Pin,
  { nodes, confirmation, agreeAbove }: { nodes: Nodes; confirmation: Confirmation; agreeAbove: number },
): Promise<View | null> {
  if (sum <= agreeAbove || nodes.both === nodes.any) return { node: nodes.any, pin }
  const agreed = await confirmedBlock(nodes.both, confirmation)
  return agreed && { node: nodes.both, pin: agreed.pin }
}
